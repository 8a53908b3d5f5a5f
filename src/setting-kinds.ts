/** The kinds of values a setting can have; each says in its own words what would be right. */
import { isIP } from "node:net"
import { z } from "zod"
import { isCron } from "./lib/cron.ts"

export const text = z.string().trim().min(1, "must not be empty")

export const port = z
  .string()
  .regex(/^\d+$/, "must be a port between 0 and 65535")
  .transform(Number)
  .refine((value) => value <= 65_535, "must be a port between 0 and 65535")

/** An address that paths can be put behind: no query, no fragment, no credentials. */
export const httpUrl = z
  .string()
  .refine((value) => {
    if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
    const { username, password } = new URL(value)
    return username === "" && password === "" && !/[?#\s]/.test(value)
  }, "must be an address such as https://hedgerow.example.com")
  .transform((url) => new URL(url).href.replace(/\/+$/, ""))

export function urlOf(...protocols: string[]) {
  const shown = protocols.map((protocol) => `${protocol}://`).join(" or ")
  return z.string().refine((value) => {
    return URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1))
  }, `must be an address that starts with ${shown}`)
}

/** Checked by the part that reads it, whose own error names the setting. */
export function readBy(read: (value: string) => unknown) {
  return z.string().transform((value) => {
    read(value)
    return value
  })
}

/** "a, b" → ["a", "b"]. */
export function list<T extends z.ZodType<unknown, string>>(item: T) {
  return z
    .string()
    .transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item).nonempty("must name at least one"))
}

export const onOff = z
  .enum(["on", "off"], "must be on or off")
  .default("off")
  .transform((value) => value === "on")

export const days = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, "must be a whole number of days between 1 and 9999")
  .transform(Number)

export const seconds = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, "must be a whole number of seconds between 1 and 99999")
  .transform(Number)

export const cron = z
  .string()
  .refine(isCron, "must be a cron line of five fields, such as 0 5 * * 0")

const BYTE_UNITS: Readonly<Record<string, number>> = { MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** "512 MiB" → 536870912. */
export const bytes = z
  .string()
  .regex(/^[1-9]\d{0,5} ?(MiB|GiB)$/, "must be a size such as 512 MiB or 4 GiB")
  .transform((value) => Number.parseInt(value, 10) * (BYTE_UNITS[value.slice(-3)] ?? 1))

export const proxies = text.refine(
  (value) => value === "none" || value.split(",").every((part) => isProxy(part.trim())),
  "must be none, or any of loopback, linklocal, uniquelocal and addresses such as 10.0.0.0/8",
)

function isProxy(value: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(value)) return true
  const [, address = "", bits = "1"] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(value) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}
