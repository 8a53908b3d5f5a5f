/** A small HTTP client for tests: every answer is held against the OpenAPI document. */
import { checkAgainstDocument } from "./openapi-check.ts"

export interface CallOptions {
  readonly key?: string
  /** JSON, unless it is text, bytes or a form, which go as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

export async function call(
  address: string,
  { method, url, key, body, headers }: CallOptions & { method: string; url: string },
): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof FormData
  const response = await fetch(`${address}${url}`, {
    method,
    redirect: "manual",
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined || isRaw ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== ""
  const answer = {
    status: response.status,
    text,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
    headers: response.headers,
  }
  checkAgainstDocument(method, url, answer)
  return answer
}
