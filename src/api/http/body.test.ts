import { describe, expect, test } from "vitest"
import { DomainError } from "../../lib/errors.ts"
import { readBody } from "./body.ts"
import type { Upload } from "./endpoint.ts"

async function read(
  contentType: string | undefined,
  body: string | Uint8Array,
  takesUpload = false,
) {
  try {
    return await readBody({ contentType, bytes: Buffer.from(body) }, { takesUpload })
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError)
    const { kind, code, attr } = error as DomainError
    return { kind, code, attr }
  }
}

const MALFORMED = { kind: "malformed", code: "parse_error", attr: null }
const UNSUPPORTED = { kind: "unsupported_media", code: "unsupported_media_type", attr: null }

describe("a JSON body", () => {
  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/vnd.garden+json",
    "application/merge-patch+json",
  ])("comes as %s", async (type) => {
    expect(await read(type, '{"name": "fern"}')).toEqual({ name: "fern" })
  })

  test("may begin with a byte order mark", async () => {
    expect(await read("application/json", '\ufeff{"a": 1}')).toEqual({ a: 1 })
  })

  test("that is absent or empty is an empty object, whatever its type", async () => {
    expect(await readBody({ contentType: undefined, bytes: undefined }, {})).toEqual({})
    expect(await read("text/plain", "")).toEqual({})
  })

  test("that is not UTF-8 is malformed", async () => {
    const latin1 = Buffer.from('{"name": "f\u00e9rn"}', "latin1")
    expect(await read("application/json", latin1)).toEqual(MALFORMED)
  })
})

describe("another body", () => {
  test.each([undefined, "", "text/plain", "text/json", "application/x-www-form-urlencoded"])(
    "as %s is refused",
    async (type) => {
      expect(await read(type, '{"name": "fern"}')).toEqual(UNSUPPORTED)
    },
  )

  test("as a form is refused where no upload is taken", async () => {
    expect(await read("multipart/form-data; boundary=x", "--x--")).toEqual(UNSUPPORTED)
  })
})

describe("a form", () => {
  async function readForm(form: FormData) {
    const response = new Response(form)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return read(response.headers.get("content-type") ?? "", bytes, true)
  }

  test("holds texts and files", async () => {
    const form = new FormData()
    form.set("name", "fern")
    form.set("picture", new File([new Uint8Array([0, 255])], "fern.png", { type: "image/png" }))
    const fields = (await readForm(form)) as { name: string; picture: Upload }
    expect(fields.name).toBe("fern")
    expect(fields.picture).toMatchObject({ file_name: "fern.png", content_type: "image/png" })
    expect([...fields.picture.bytes]).toEqual([0, 255])
  })

  test("with a null character in a text is refused, naming the field", async () => {
    const form = new FormData()
    form.set("name", "fe\u0000rn")
    expect(await readForm(form)).toEqual({ kind: "invalid", code: "invalid_input", attr: "name" })
  })

  test("that has a field twice is refused, because only one could be meant", async () => {
    const form = new FormData()
    form.append("archive", "one")
    form.append("archive", "two")
    const fault = { kind: "invalid", code: "invalid_input", attr: "archive" }
    expect(await readForm(form)).toEqual(fault)
  })

  test.each(["multipart/form-data", "multipart/form-data; boundary=y"])(
    "as %s that does not fit its boundary is the caller's mistake",
    async (type) => {
      expect(await read(type, "--x\r\nnothing", true)).toMatchObject({ kind: "invalid" })
    },
  )
})
