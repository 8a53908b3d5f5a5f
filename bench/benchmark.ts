export type Cell = string | number

/** The first row is the head. */
export type Table = readonly (readonly Cell[])[]

export interface Benchmark {
  readonly name: string
  /** What is compared, and the target. */
  readonly about: string
  run(progress: (line: string) => void): Promise<Table>
}
