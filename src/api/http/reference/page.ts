/**
 * The API reference as one static page: no script, one style sheet, everything escaped. It is a pure function
 * of the OpenAPI document.
 */
import { type Html, html } from "../../../lib/html.ts"
import type { OpenApiDocument } from "../openapi-types.ts"
import { listFields, printProse } from "./fields.ts"
import {
  type Entry,
  operationAnchor,
  printFields,
  printMethod,
  printOperation,
  printParagraphs,
} from "./operation.ts"
import { anchor, asSchema, printType } from "./type.ts"

export { referenceCss } from "./css.ts"

export function renderReference(openapi: OpenApiDocument): string {
  const { info, components } = openapi
  const groups = groupByTag(openapi)
  const schemaNames = Object.keys(components.schemas).toSorted((a, b) => a.localeCompare(b, "en"))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} reference</title>
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents">
<p class="home"><a href="#content">${info.title}</a></p>
<section><h2><a href="#authentication">Authentication</a></h2></section>
${groups.map(([tag, entries]) => printNavGroup(tag, entries))}
${schemaNames.length > 0 && html`<section><h2><a href="#schemas">Schemas</a></h2></section>`}
</nav>
<main id="content">
${printIntroduction(openapi)}
${groups.map(
  ([tag, entries]) => html`<section aria-labelledby="${anchor("tag", tag)}">
<h2 id="${anchor("tag", tag)}">${tag}</h2>
${entries.map((entry) => printOperation(entry, components.schemas))}
</section>
`,
)}
${schemaNames.length > 0 && printSchemas(openapi, schemaNames)}
</main>
</body>
</html>
`.text
}

/** Tags in the order of their first operation; an operation stands under its first tag. */
function groupByTag({ paths }: OpenApiDocument): readonly (readonly [string, readonly Entry[]])[] {
  const groups = new Map<string, Entry[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? "Other"
      const entries = groups.get(tag) ?? []
      entries.push({ method, path, operation })
      groups.set(tag, entries)
    }
  }
  return [...groups]
}

function printNavGroup(tag: string, entries: readonly Entry[]): Html {
  return html`<section>
<h2><a href="#${anchor("tag", tag)}">${tag}</a></h2>
<ul>
${entries.map(
  (entry) =>
    html`<li><a href="#${operationAnchor(entry)}">${printMethod(entry.method, "short")} <span>${entry.operation.summary}</span></a></li>\n`,
)}</ul>
</section>
`
}

function printIntroduction({ info, components }: OpenApiDocument): Html {
  const description = info.description
  const schemes = Object.values(components.securitySchemes ?? {}).map((scheme) => {
    const text = asSchema(scheme)?.description
    return typeof text === "string" && html`<p>${printProse(text)}</p>\n`
  })
  return html`<header>
<h1>${info.title} <span class="version">${info.version}</span></h1>
${typeof description === "string" && printParagraphs(description)}
<h2 id="authentication">Authentication</h2>
<p>Every request carries a key in its <code>Authorization</code> header, unless its entry says that none is needed. Each entry names the scope that the key must hold; a <code>write</code> scope includes <code>read</code>, and <code>*</code> includes all.</p>
${schemes}
<pre tabindex="0"><code>export HEDGEROW_URL=…       # the address of this page, without its path
export HEDGEROW_API_KEY=phx_…
curl "$HEDGEROW_URL/api/users/@me" -H "Authorization: Bearer $HEDGEROW_API_KEY"</code></pre>
<p>The examples below use these two variables, and one for each part of a path. The same description for machines is at <a href="/api/schema">/api/schema</a>.</p>
</header>
`
}

function printSchemas(
  { components: { schemas } }: OpenApiDocument,
  names: readonly string[],
): Html {
  return html`<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${names.map((name) => {
  const schema = schemas[name] ?? {}
  const { description } = schema
  const fields = listFields(schema, schemas)
  return html`<details class="fold schema">
<summary><h3><code>${name}</code></h3></summary>
<div class="inside" id="${anchor("schema", name)}">
${typeof description === "string" && printParagraphs(description)}
${fields.length > 0 ? printFields(fields, name) : html`<p class="shape"><code>${printType(schema, schemas)}</code></p>`}
</div>
</details>
`
})}
</section>
`
}
