/** One operation of the reference: a line that unfolds into everything a caller needs. */
import { type Html, html } from "../../../lib/html.ts"
import type { MediaContent, Operation, Response } from "../openapi-types.ts"
import { isOpen, printCurl } from "./curl.ts"
import { type Field, listFields, listNotes, printProse } from "./fields.ts"
import { anchor, printType, refName, type Schemas } from "./type.ts"

export interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/**
 * The anchor sits inside the fold, not on it: following a link to it makes the browser unfold, without a
 * script.
 */
export function printOperation(entry: Entry, schemas: Schemas): Html {
  const { method, path, operation } = entry
  return html`<details class="fold operation">
<summary><h3>${printMethod(method)} <code class="path">${printPath(path)}</code> <span class="what">${operation.summary}</span></h3></summary>
<div class="inside" id="${operationAnchor(entry)}">
${operation.description !== undefined && printParagraphs(operation.description)}
<dl class="facts">${printAccess(operation)}</dl>
${printParameters(operation, schemas)}
${operation.requestBody && printBody(operation.requestBody, schemas)}
<h4>Answers</h4>
${Object.entries(operation.responses).map(([status, reply]) => printReply(status, reply, schemas))}
<h4>Try it</h4>
<pre tabindex="0"><code>${printCurl({ ...entry, schemas })}</code></pre>
</div>
</details>
`
}

export function operationAnchor({ operation }: Entry): string {
  return anchor("operation", operation.operationId)
}

const SHORT_METHODS: Readonly<Record<string, string>> = { delete: "del", options: "opt" }
const KNOWN_METHODS = ["get", "post", "put", "patch", "delete"]

export function printMethod(method: string, size: "full" | "short" = "full"): Html {
  const shown = size === "short" ? (SHORT_METHODS[method] ?? method) : method
  const known = KNOWN_METHODS.includes(method) ? method : "other"
  return html`<span class="method ${known}">${shown.toUpperCase()}</span>`
}

/** A long path may break after each slash. */
function printPath(path: string): Html {
  const parts = path.split(/(\{[^}]*\}|\/)/)
  return html`${parts.map((part) =>
    part === "/" ? html`/<wbr>` : part.startsWith("{") ? html`<var>${part}</var>` : part,
  )}`
}

export function printParagraphs(text: string): Html {
  return html`${text.split(/\n\s*\n/).map((part) => html`<p>${printProse(part)}</p>\n`)}`
}

function printAccess(operation: Operation): Html {
  const scope = operation["x-scope"]
  const access = operation["x-access"]
  return html`${access !== undefined && html`<div><dt>For</dt><dd>${access}</dd></div>`}${
    isOpen(operation)
      ? html`<div><dt>Key</dt><dd>not needed</dd></div>`
      : scope !== undefined &&
        html`<div><dt>Scope of the key</dt><dd><code>${scope}</code></dd></div>`
  }`
}

function printParameters({ parameters = [] }: Operation, schemas: Schemas): Html {
  const groups = [
    ["path", "In the path"],
    ["query", "In the query"],
    ["header", "In the headers"],
  ] as const
  return html`${groups.map(([place, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema }) => ({
        name,
        type: printType(schema, schemas),
        // A part of the path is never optional, so the mark would say nothing.
        isRequired: required && place !== "path",
        notes: [
          ...(description === undefined ? [] : [printProse(description)]),
          ...listNotes(schema),
        ],
      }))
    return fields.length > 0 && html`<h4>${title}</h4>\n${printFields(fields, title)}`
  })}`
}

function printBody(body: NonNullable<Operation["requestBody"]>, schemas: Schemas): Html {
  const mediaTypes = Object.keys(body.content)
  const schema = Object.values(body.content)[0]?.schema
  const fields = listFields(schema, schemas)
  return html`<h4>Body</h4>
<p class="shape"><code>${printType(schema, schemas)}</code> <span class="muted">as ${mediaTypes.join(" or ")}${!body.required && ", optional"}</span></p>
${fields.length > 0 && printFields(fields, "Body")}
`
}

function printReply(status: string, reply: Response, schemas: Schemas): Html {
  const schema = firstSchema(reply.content)
  const isNamed = schema !== undefined && refName(schema) !== undefined
  const fields = isNamed ? [] : listFields(schema, schemas).map(withoutMark)
  const kind = status.startsWith("2") ? "good" : "bad"
  return html`<p class="shape"><span class="status ${kind}">${status === "default" ? "other" : status}</span> ${
    schema !== undefined && html`<code>${printType(schema, schemas)}</code> `
  }<span class="muted">${reply.description}</span></p>
${fields.length > 0 && printFields(fields, `Answer ${status}`)}`
}

/** What an answer holds, it always holds. */
function withoutMark(field: Field): Field {
  return { ...field, isRequired: false }
}

function firstSchema(content: MediaContent | undefined) {
  return Object.values(content ?? {})[0]?.schema
}

/** The column of notes appears only when there is a note. */
export function printFields(fields: readonly Field[], caption: string): Html {
  const hasNotes = fields.some(({ notes }) => notes.length > 0)
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th>${hasNotes && html`<th scope="col">Notes</th>`}</tr></thead>
<tbody>
${fields.map((field) => printField(field, hasNotes))}</tbody>
</table>
`
}

function printField({ name, type, isRequired, notes }: Field, hasNotes: boolean): Html {
  const mark = isRequired && html` <span class="required">required</span>`
  const shownNotes = notes.map((note, index) => [index > 0 && "; ", note])
  return html`<tr><th scope="row"><code>${name}</code>${mark}</th><td class="type"><code>${type}</code></td>${
    hasNotes && html`<td>${shownNotes}</td>`
  }</tr>
`
}
