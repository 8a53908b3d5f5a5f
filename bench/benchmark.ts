export type Cell = string | number

/** The first row is the head. */
export type Table = readonly (readonly Cell[])[]

export type Progress = (line: string) => void

/** Sizes that may be asked for. */
export interface Options {
  readonly events: number
  readonly persons: number
  /** How many events insights are asked of, in turn. */
  readonly sizes: readonly number[]
}

export interface Benchmark {
  readonly name: string
  /** What is compared, and the target. */
  readonly about: string
  run(progress: Progress, options: Options): Promise<Table>
}
