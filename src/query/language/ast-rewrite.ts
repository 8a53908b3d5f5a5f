/** Parsed texts with some of their expressions exchanged, and how large they are. */
import type {
  CteAst,
  ExprAst,
  FromAst,
  JoinAst,
  LimitAst,
  OrderAst,
  QueryAst,
  SelectAst,
  SourceAst,
  WindowAst,
} from "./ast.ts"

/** What takes an expression's place; undefined keeps it and looks inside. */
type Change = (ast: ExprAst) => ExprAst | undefined

export function rewriteQueryAst(query: QueryAst, change: Change): QueryAst {
  return rewriteQuery(query, (ast) => rewriteExprAst(ast, change))
}

export function rewriteExprAst(ast: ExprAst, change: Change): ExprAst {
  const changed = change(ast)
  return changed ?? rewriteInside(ast, (inner) => rewriteExprAst(inner, change))
}

type Rewrite = (ast: ExprAst) => ExprAst

function rewriteQuery(query: QueryAst, rewrite: Rewrite): QueryAst {
  return query.kind === "union"
    ? { ...query, queries: query.queries.map((each) => rewriteQuery(each, rewrite)) }
    : rewriteSelect(query, rewrite)
}

function rewriteSelect(select: SelectAst, rewrite: Rewrite): SelectAst {
  const { from, arrayJoin, prewhere, where, having, limit, limitBy } = select
  return {
    ...select,
    ctes: select.ctes.map((cte) => rewriteCte(cte, rewrite)),
    columns: select.columns.map(rewrite),
    ...(from === undefined ? {} : { from: rewriteFrom(from, rewrite) }),
    ...(arrayJoin === undefined
      ? {}
      : { arrayJoin: { ...arrayJoin, items: arrayJoin.items.map(rewrite) } }),
    ...(prewhere === undefined ? {} : { prewhere: rewrite(prewhere) }),
    ...(where === undefined ? {} : { where: rewrite(where) }),
    groupBy: select.groupBy.map(rewrite),
    ...(having === undefined ? {} : { having: rewrite(having) }),
    windows: select.windows.map(({ name, window }) => ({
      name,
      window: rewriteWindow(window, rewrite),
    })),
    orderBy: select.orderBy.map((key) => rewriteOrder(key, rewrite)),
    ...(limit === undefined ? {} : { limit: rewriteLimit(limit, rewrite) }),
    ...(limitBy === undefined
      ? {}
      : {
          limitBy: { limit: rewriteLimit(limitBy.limit, rewrite), by: limitBy.by.map(rewrite) },
        }),
  }
}

function rewriteCte(cte: CteAst, rewrite: Rewrite): CteAst {
  return cte.kind === "query"
    ? { ...cte, query: rewriteQuery(cte.query, rewrite) }
    : { ...cte, expr: rewrite(cte.expr) }
}

function rewriteFrom(from: FromAst, rewrite: Rewrite): FromAst {
  const source = rewriteSource(from.source, rewrite)
  return { ...from, source, joins: from.joins.map((join) => rewriteJoin(join, rewrite)) }
}

function rewriteJoin(join: JoinAst, rewrite: Rewrite): JoinAst {
  const source = rewriteSource(join.source, rewrite)
  return { ...join, source, ...(join.on === undefined ? {} : { on: rewrite(join.on) }) }
}

function rewriteSource(source: SourceAst, rewrite: Rewrite): SourceAst {
  const { from } = source
  if (from.kind === "query") {
    return { ...source, from: { ...from, query: rewriteQuery(from.query, rewrite) } }
  }
  if (from.kind === "function") {
    return { ...source, from: { ...from, args: from.args.map(rewrite) } }
  }
  return source
}

const rewriteOrder = (key: OrderAst, rewrite: Rewrite): OrderAst => ({
  ...key,
  expr: rewrite(key.expr),
})

const rewriteLimit = (limit: LimitAst, rewrite: Rewrite): LimitAst => ({
  ...limit,
  count: rewrite(limit.count),
  ...(limit.offset === undefined ? {} : { offset: rewrite(limit.offset) }),
})

const rewriteWindow = (window: WindowAst, rewrite: Rewrite): WindowAst => ({
  ...window,
  partitionBy: window.partitionBy.map(rewrite),
  orderBy: window.orderBy.map((key) => rewriteOrder(key, rewrite)),
})

function rewriteInside(ast: ExprAst, rewrite: Rewrite): ExprAst {
  switch (ast.kind) {
    case "constant":
    case "field":
    case "star":
      return ast
    case "placeholder":
      return { ...ast, expr: rewrite(ast.expr) }
    case "access":
      return { ...ast, object: rewrite(ast.object), index: rewrite(ast.index) }
    case "member":
      return { ...ast, object: rewrite(ast.object) }
    case "and":
    case "or":
      return { ...ast, operands: ast.operands.map(rewrite) }
    case "not":
    case "isNull":
    case "cast":
      return { ...ast, operand: rewrite(ast.operand) }
    case "compare":
    case "arithmetic":
      return { ...ast, left: rewrite(ast.left), right: rewrite(ast.right) }
    case "between":
      return {
        ...ast,
        operand: rewrite(ast.operand),
        low: rewrite(ast.low),
        high: rewrite(ast.high),
      }
    case "case":
      return rewriteCase(ast, rewrite)
    case "call":
      return rewriteCall(ast, rewrite)
    case "lambda":
      return { ...ast, body: rewrite(ast.body) }
    case "array":
    case "tuple":
      return { ...ast, items: ast.items.map(rewrite) }
    case "interval":
      return { ...ast, amount: rewrite(ast.amount) }
    case "query":
      return { ...ast, query: rewriteQuery(ast.query, rewrite) }
    case "alias":
      return { ...ast, expr: rewrite(ast.expr) }
  }
}

function rewriteCase(ast: Extract<ExprAst, { kind: "case" }>, rewrite: Rewrite): ExprAst {
  return {
    ...ast,
    ...(ast.operand === undefined ? {} : { operand: rewrite(ast.operand) }),
    branches: ast.branches.map(({ when, result }) => ({
      when: rewrite(when),
      result: rewrite(result),
    })),
    ...(ast.otherwise === undefined ? {} : { otherwise: rewrite(ast.otherwise) }),
  }
}

function rewriteCall(ast: Extract<ExprAst, { kind: "call" }>, rewrite: Rewrite): ExprAst {
  const { params, over } = ast
  return {
    ...ast,
    args: ast.args.map(rewrite),
    ...(params === undefined ? {} : { params: params.map(rewrite) }),
    ...(over === undefined || typeof over === "string"
      ? {}
      : { over: rewriteWindow(over, rewrite) }),
  }
}
