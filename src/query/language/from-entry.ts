/** What resolving one source of FROM takes and gives. */
import type { Expr, Source } from "../tree.ts"
import type { JoinKind } from "./ast.ts"
import type { Scope, ScopeSource, Work } from "./resolving.ts"

/** One source with its place in FROM; joins of what its links read are added when all is resolved. */
export interface FromEntry {
  readonly scoped: ScopeSource
  readonly source: Source
  readonly join?: { readonly kind: JoinKind; readonly on: Expr | undefined }
}

export interface SourcePlace {
  readonly scope: Scope
  readonly work: Work
  /** In FROM, from 0. */
  readonly index: number
}
