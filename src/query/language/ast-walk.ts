/** What stands directly inside an expression of the text; of queries inside, nothing. */
import type { ExprAst } from "./ast.ts"

export function operandsOfAst(ast: ExprAst): readonly ExprAst[] {
  switch (ast.kind) {
    case "constant":
    case "field":
    case "star":
    case "query":
      return []
    case "placeholder":
    case "alias":
      return [ast.expr]
    case "access":
      return [ast.object, ast.index]
    case "member":
      return [ast.object]
    case "and":
    case "or":
      return ast.operands
    case "not":
    case "isNull":
    case "cast":
      return [ast.operand]
    case "compare":
    case "arithmetic":
      return [ast.left, ast.right]
    case "between":
      return [ast.operand, ast.low, ast.high]
    case "case":
      return [
        ...(ast.operand === undefined ? [] : [ast.operand]),
        ...ast.branches.flatMap(({ when, result }) => [when, result]),
        ...(ast.otherwise === undefined ? [] : [ast.otherwise]),
      ]
    case "call":
      return [...(ast.params ?? []), ...ast.args]
    case "lambda":
      return [ast.body]
    case "array":
    case "tuple":
      return ast.items
    case "interval":
      return [ast.amount]
  }
}
