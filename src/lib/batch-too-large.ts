/** What a batch names is more than may be in memory at once; half of the batch may do. */
export class BatchTooLarge extends Error {}
