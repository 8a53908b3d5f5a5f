import { describe, expect, test } from "vitest"
import { findField, parseForm } from "./form.ts"

describe("a field of a query or a form", () => {
  test.each([
    ["data=a&b=c", "a"],
    ["x=1&data=a%20b+c", "a b c"],
    ["metadata=x&data=y", "y"],
    ["data=", ""],
    ["data=a=b", "a=b"],
  ])("is found in %s", (text, value) => {
    expect(findField(text, "data")).toBe(value)
  })

  test.each(["", "metadata=x", "data", "xdata=1&ydata=2"])("is not found in %j", (text) => {
    expect(findField(text, "data")).toBeUndefined()
  })

  test("that is not percent-encoded UTF-8 is refused by name", () => {
    expect(() => findField("data=%E4", "data")).toThrow('"data"')
  })
})

const URLENCODED = "application/x-www-form-urlencoded; charset=utf-8"

describe("a form", () => {
  test("gives data, compression and token", () => {
    const form = parseForm(Buffer.from("compression=lz64&data=a%2Bb&api_key=t"), URLENCODED)
    expect(form).toEqual({ data: Buffer.from("a+b"), compression: "lz64", token: "t" })
  })

  test("is seen by its first field, whatever the type says", () => {
    expect(parseForm(Buffer.from("data=a"), "text/plain")?.data?.toString()).toBe("a")
  })

  test("is none without a field we know", () => {
    expect(parseForm(Buffer.from("eyJhIjoxfQ=="), URLENCODED)).toBeUndefined()
    expect(parseForm(Buffer.from("x data=1"), "text/plain")).toBeUndefined()
  })

  test("of several parts keeps bytes as they are", () => {
    const bytes = Buffer.from([0, 13, 10, 255, 45, 45])
    const body = Buffer.concat([
      Buffer.from(
        'ignored\r\n--x y\r\nContent-Disposition: form-data; name="data"; filename="f"\r\n\r\n',
      ),
      bytes,
      Buffer.from(
        "\r\n--x y\r\nContent-Disposition: form-data; name=token\r\n\r\nt\r\n--x y--\r\n",
      ),
    ])
    const form = parseForm(body, 'multipart/form-data; boundary="x y"')
    expect(form).toEqual({ data: bytes, compression: undefined, token: "t" })
  })

  test("of several parts without a boundary, or with too many parts, is refused", () => {
    expect(() => parseForm(Buffer.from("--x"), "multipart/form-data")).toThrow("boundary")
    const many = Buffer.from(`${"--x\r\n\r\n".repeat(1_000)}--x--`)
    expect(() => parseForm(many, "multipart/form-data; boundary=x")).toThrow("more than 32 fields")
  })
})
