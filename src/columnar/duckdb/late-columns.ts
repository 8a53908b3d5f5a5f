/**
 * Columns that were made after a batch was taken apart and before it was appended: the batch has their values in the
 * rest. Filling a column must not call it filled if such a batch came in meanwhile.
 */
export class LateColumns {
  /** By the number of the column: when the last such batch was in; Infinity while one is on its way. */
  readonly #lastAt = new Map<number, number>()
  #moment = 0

  begin(columns: readonly number[]): void {
    for (const column of columns) this.#lastAt.set(column, Number.POSITIVE_INFINITY)
  }

  end(columns: readonly number[]): void {
    this.#moment += 1
    for (const column of columns) this.#lastAt.set(column, this.#moment)
  }

  /** Tells, whenever it is asked, whether such a batch of a column came in since now or is on its way. */
  since(): (column: number) => boolean {
    const moment = this.#moment
    return (column) => (this.#lastAt.get(column) ?? -1) > moment
  }
}
