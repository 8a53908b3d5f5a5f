/** Bytes of a request → the value a body schema sees. JSON everywhere; multipart where uploads are taken. */
import { DomainError, invalid } from "../../lib/errors.ts"
import type { Upload } from "./endpoint.ts"
import { parseJsonBody } from "./json-text.ts"

export interface RawBody {
  readonly contentType: string | undefined
  readonly bytes: Buffer | undefined
}

const decoder = new TextDecoder("utf-8", { fatal: true })

export interface BodyForm {
  readonly takesUpload?: boolean
  readonly isExact?: boolean
}

/** An absent body counts as an empty object: actions need none. */
export async function readBody(raw: RawBody, form: BodyForm): Promise<unknown> {
  if (raw.bytes === undefined || raw.bytes.length === 0) return {}
  if (isJson(raw.contentType)) return parseJsonBody(decode(raw.bytes), form.isExact)
  const { takesUpload = false } = form
  const type = mediaType(raw.contentType)
  if (takesUpload && type === "multipart/form-data")
    return readForm(raw.bytes, raw.contentType ?? "")
  const taken = takesUpload ? "application/json or multipart/form-data" : "application/json"
  throw new DomainError("unsupported_media", {
    code: "unsupported_media_type",
    detail: `Unsupported media type "${type}" in request; use ${taken}.`,
  })
}

export function isJson(contentType: string | undefined): boolean {
  return /^application\/(.+\+)?json$/.test(mediaType(contentType))
}

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? ""
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new DomainError("malformed", {
      code: "parse_error",
      detail: "JSON parse error - the body is not UTF-8 text.",
    })
  }
}

async function readForm(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { "content-type": contentType },
  })
    .formData()
    .catch(() => {
      throw invalid("The form could not be read; is its boundary right?")
    })
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form.entries()) {
    if (Object.hasOwn(fields, name)) throw invalid(`The form has more than one "${name}".`, name)
    fields[name] = typeof value === "string" ? checkedText(value, name) : await uploadOf(value)
  }
  return fields
}

function checkedText(value: string, name: string): string {
  if (value.includes("\u0000")) throw invalid("Null characters are not allowed.", name)
  return value
}

async function uploadOf(file: File): Promise<Upload> {
  return {
    file_name: file.name.replaceAll("\u0000", ""),
    content_type: file.type,
    bytes: new Uint8Array(await file.arrayBuffer()),
  }
}
