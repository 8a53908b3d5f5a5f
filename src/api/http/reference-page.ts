import type { OpenApiDocument } from "./openapi-types.ts"
export const referenceCss = ""
export function renderReference(document: OpenApiDocument): string {
  return `<pre>${document.info.title}</pre>`
}
