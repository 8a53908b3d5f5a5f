export interface Primitive {
  /** How many; "any" where it varies. */
  readonly args: number | "any"
  readonly meaning: string
}
