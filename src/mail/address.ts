/** Mail addresses, kept narrow on purpose: one mailbox, no lists, no comments, nothing that ends a header. */
import { StartError } from "../lib/errors.ts"
import { oneLine } from "./one-line.ts"

const MAX_ADDRESS_CHARS = 254
const MAX_HEADER_TEXT_CHARS = 200

const MAILBOX = /^[^\s@<>,;:"()[\]\\\p{Cc}\p{Zl}\p{Zp}]+@[^\s@<>,;:"()[\]\\\p{Cc}\p{Zl}\p{Zp}]+$/u
const NAMED_MAILBOX = /^([^<>]*)<([^<>]*)>$/

export interface Sender {
  readonly name: string
  readonly address: string
}

/** Is it one bare address that may stand in an envelope? Whether it exists, only its server knows. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_CHARS && MAILBOX.test(text)
}

/** Reads "mail@example.com" or "Hedgerow <mail@example.com>". */
export function parseSender(text: string): Sender {
  const [, name, bracketed] = NAMED_MAILBOX.exec(text.trim()) ?? []
  const address = (bracketed ?? text).trim()
  if (!isMailAddress(address)) {
    throw new StartError(
      `setting EMAIL_FROM is no sender: "${headerText(text)}"; use mail@example.com or Name <mail@example.com>`,
    )
  }
  return { name: headerText((name ?? "").replaceAll('"', "")), address }
}

/** The only form in which a text goes into a header. */
export function headerText(text: string): string {
  return oneLine(text, MAX_HEADER_TEXT_CHARS)
}
