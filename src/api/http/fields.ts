/** The few field shapes that resources share. Drafts carry no defaults, so that PATCH can be partial. */
import { z } from "zod"
import { isJsonObject, type JsonObject } from "../../lib/json.ts"
import type { Upload } from "./endpoint.ts"
import { LEVEL } from "./levels.ts"

/** ISO 8601 in UTC with `Z`; six fractional digits when there is a fraction. */
export const timestamp = z.iso.datetime()

/** Trimmed text that must say something. */
export function text(maxLength: number) {
  return z.string().trim().min(1).max(maxLength)
}

/** Trimmed text that may be empty. */
export function anyText(maxLength: number) {
  return z.string().trim().max(maxLength)
}

export const LevelChoice = z.literal([LEVEL.member, LEVEL.admin, LEVEL.owner])

/** JSON objects whose keys are the caller's business. */
export const freeObject = z.record(z.string(), z.unknown())

/** A file of a form, for endpoints that take uploads. */
export const uploadedFile = z
  .custom<Upload>()
  .superRefine((value: Partial<Upload> | null | undefined, context) => {
    if (value?.bytes instanceof Uint8Array) return
    const isMissing = value === undefined
    context.addIssue({
      code: "custom",
      message: isMissing ? "This field is required." : "Send this as a file of a form.",
      params: { code: isMissing ? "required" : "invalid_input" },
    })
  })
  .meta({ type: "string", format: "binary" })

const HTTP_URL = /^https?:\/\/[^\s/?#]+\S*$/i

/** Absolute and complete: the platform's own parser also takes "http:example.com". */
export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text)
}

/** Taken as it is: a record would drop the key `__proto__`, which is as good as any other. */
export function requiredObject(expected: string) {
  return z
    .custom<JsonObject>()
    .superRefine((value: unknown, context) => {
      if (isJsonObject(value)) return
      const isMissing = value === undefined
      context.addIssue({
        code: "custom",
        message: isMissing ? "This field is required." : expected,
        params: { code: isMissing ? "required" : "invalid_input" },
      })
    })
    .meta({ type: "object", additionalProperties: true })
}
