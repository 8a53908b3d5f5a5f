/** What a load generator is told, and what it tells. */
export interface LoadPlan {
  readonly address: string
  readonly path: string
  readonly token: string
  readonly connections: number
  readonly batchSize: number
  readonly seed: number
  /** How many different events to make before starting. */
  readonly madeEventCount: number
  /** The first of the numbers that make sent events differ; without it the events go out once, as they are. */
  readonly firstNumber?: number
  /** With `firstNumber`: how long to send. */
  readonly seconds?: number
  /** As fast as the server answers, unless told. */
  readonly eventsPerSecond?: number
}

export interface LoadResult {
  readonly eventCount: number
  readonly requestCount: number
  readonly failedRequestCount: number
  /** Status or error of the first failure. */
  readonly failure: string | undefined
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Share of one core the generator used: near 1 it measured itself. */
  readonly generatorShare: number
}
