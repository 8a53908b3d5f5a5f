/** How much one text may ask for. Past these bounds an engine would plan for longer than it runs. */

/** Nodes of the parsed text. */
export const AST_NODES_MAX = 50_000
/** Nodes of one expression or clause, after aliases stand for what they name. */
export const EXPR_NODES_MAX = 50_000
export const SUBQUERY_DEPTH_MAX = 20
export const QUERIES_MAX = 200
export const JOINS_MAX = 30
export const UNION_BRANCHES_MAX = 50
export const COLUMNS_MAX = 1_000
/** Values of one IN. */
export const IN_VALUES_MAX = 10_000
/** Rows of one `numbers(n)`. */
export const NUMBERS_MAX = 10_000_000
export const PROBLEMS_MAX = 50

/** Rows of an answer whose text has no LIMIT. */
export const ROWS_DEFAULT = 100
/** What a LIMIT may ask for; more is cut to it. */
export const ROWS_MAX = 50_000
/** Of a LIMIT inside, an OFFSET, or a LIMIT BY. */
export const LIMIT_MAX = 1_000_000_000
