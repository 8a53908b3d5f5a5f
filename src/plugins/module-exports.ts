/** What a module exports, in the forms that plugins are written and compiled in: ES modules and CommonJS. */
import type { AnyNode, Expression, Pattern, Program, VariableDeclaration } from "acorn"
import { ModuleScope, propertyName } from "./static-value.ts"

/** Exported name to the value's place in the tree; undefined when it is exported but not written down here. */
type ModuleExports = ReadonlyMap<string, AnyNode | undefined>

export interface ModuleFacts {
  readonly exports: ModuleExports
  readonly scope: ModuleScope
}

type Names = Map<string, AnyNode | undefined>

export function readExports(program: Program): ModuleFacts {
  const scope = new ModuleScope(declaredNames(program))
  const commonJs = commonJsExports(program, scope)
  const named = namedExports(program)
  // `default` holds the functions of plugins that export one object; what is exported by name goes first.
  const byDefault = named.get("default") ?? commonJs.get("default")
  const ofDefault = byDefault ? [...scope.properties(byDefault)] : []
  return { exports: new Map([...ofDefault, ...commonJs, ...named]), scope }
}

function declaredNames(program: Program): Map<string, AnyNode> {
  const declared = new Map<string, AnyNode>()
  for (const statement of program.body) {
    const isExport = statement.type.startsWith("Export") && "declaration" in statement
    const declaration = isExport ? statement.declaration : statement
    switch (declaration?.type) {
      case "FunctionDeclaration":
      case "ClassDeclaration":
        if (declaration.id) declared.set(declaration.id.name, declaration)
        break
      case "VariableDeclaration":
        for (const { id, init } of declaration.declarations) {
          if (id.type === "Identifier" && init) declared.set(id.name, init)
        }
    }
  }
  return declared
}

function namedExports(program: Program): Names {
  const names: Names = new Map()
  for (const statement of program.body) {
    if (statement.type === "ExportDefaultDeclaration") names.set("default", statement.declaration)
    if (statement.type !== "ExportNamedDeclaration") continue
    const { declaration, specifiers, source } = statement
    if (declaration?.type === "VariableDeclaration") addVariables(names, declaration)
    else if (declaration?.id) names.set(declaration.id.name, declaration)
    for (const { exported, local } of specifiers) {
      const name = exported.type === "Identifier" ? exported.name : `${exported.value}`
      names.set(name, source ? undefined : local)
    }
  }
  return names
}

function addVariables(names: Names, declaration: VariableDeclaration): void {
  for (const { id, init } of declaration.declarations) {
    if (id.type === "Identifier") names.set(id.name, init ?? undefined)
    if (id.type !== "ObjectPattern") continue
    for (const property of id.properties) {
      if (property.type === "Property" && property.value.type === "Identifier") {
        names.set(property.value.name, undefined)
      }
    }
  }
}

function commonJsExports(program: Program, scope: ModuleScope): Names {
  const names: Names = new Map()
  for (const statement of program.body) {
    if (statement.type !== "ExpressionStatement") continue
    for (const expression of parts(statement.expression)) {
      if (expression.type === "AssignmentExpression") addAssignment(names, expression, scope)
      if (expression.type === "CallExpression") addCall(names, expression.arguments, scope)
    }
  }
  return names
}

/** The steps of `a, b` and the last one of `0 && a`, which bundlers write to announce exports. */
function parts(expression: Expression): readonly Expression[] {
  if (expression.type === "SequenceExpression") return expression.expressions.flatMap(lastStep)
  return lastStep(expression)
}

function lastStep(expression: Expression): readonly Expression[] {
  return [expression.type === "LogicalExpression" ? expression.right : expression]
}

/** `exports.a = …`, `module.exports.a = …`, `module.exports = {…}`, and chains `exports.a = exports.b = …`. */
function addAssignment(names: Names, assignment: Expression, scope: ModuleScope): void {
  let link: AnyNode = assignment
  while (link.type === "AssignmentExpression") {
    const name = exportedName(link.left)
    if (name !== undefined) names.set(name, link)
    if (isExportsObject(link.left)) replaceAll(names, scope.resolve(link), scope)
    link = link.right
  }
}

/** `module.exports = {…}` and `module.exports = exports.default`; any other value leaves what is known. */
function replaceAll(names: Names, value: AnyNode, scope: ModuleScope): void {
  const object = scope.resolve(names.get(exportedName(value) ?? "") ?? value)
  if (object.type !== "ObjectExpression") return
  names.clear()
  for (const [name, node] of scope.properties(object)) names.set(name, node)
}

/** `Object.defineProperty(exports, "a", …)`, `Object.assign(exports, {…})` and what compilers write for them. */
function addCall(names: Names, args: readonly AnyNode[], scope: ModuleScope): void {
  const [target, what, descriptor] = args
  if (!target || !what || !isExportsObject(target)) return
  if (what.type === "Literal" && typeof what.value === "string") {
    const parts = new Map(descriptor ? scope.properties(descriptor) : [])
    names.set(what.value, parts.get("value") ?? returned(parts.get("get")))
  }
  for (const [name, value] of scope.properties(what)) names.set(name, returned(value) ?? value)
}

/** The name that a compiler's getter answers with: `() => a` or `function () { return a }`. */
function returned(value: AnyNode | undefined): AnyNode | undefined {
  if (value?.type !== "ArrowFunctionExpression" && value?.type !== "FunctionExpression") {
    return undefined
  }
  const [first] = value.body.type === "BlockStatement" ? value.body.body : []
  const answer = first?.type === "ReturnStatement" ? first.argument : value.body
  return answer?.type === "Identifier" ? answer : undefined
}

function exportedName(target: AnyNode): string | undefined {
  if (target.type !== "MemberExpression" || !isExportsObject(target.object)) return undefined
  const { property: key, computed } = target
  return key.type === "PrivateIdentifier" ? undefined : propertyName({ key, computed })
}

function isExportsObject(node: AnyNode | Pattern): boolean {
  if (node.type === "Identifier") return node.name === "exports"
  if (node.type !== "MemberExpression" || node.object.type !== "Identifier") return false
  const { property: key, computed } = node
  if (node.object.name !== "module" || key.type === "PrivateIdentifier") return false
  return propertyName({ key, computed }) === "exports"
}
