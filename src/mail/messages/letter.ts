/** The one look of our mails: plain words, one link, no picture, nothing loaded from anywhere. */
import { type Html, html } from "../../lib/html.ts"
import { oneLine } from "../one-line.ts"

export const PRODUCT_NAME = "Hedgerow"

const MAX_NAME_CHARS = 80

export interface Letter {
  readonly paragraphs: readonly (string | Quote)[]
  readonly link: { readonly label: string; readonly url: string }
  readonly closing: readonly string[]
}

/** Words of a user inside our mail, set apart so that nobody takes them for ours. */
interface Quote {
  readonly quote: string
}

export function printText({ paragraphs, link, closing }: Letter): string {
  const blocks = [...paragraphs.map(printTextBlock), `${link.label}:\n${link.url}`, ...closing]
  return `${blocks.join("\n\n")}\n`
}

function printTextBlock(block: string | Quote): string {
  return typeof block === "string" ? block : block.quote.replace(/^/gm, "> ")
}

/** Inline styles only: many mail programs drop style sheets. */
export function printHtml({ paragraphs, link, closing }: Letter): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:24px">
<div style="max-width:34em;margin:0 auto;font:16px/1.5 system-ui,sans-serif">
${paragraphs.map(printHtmlBlock)}
<p style="margin:24px 0"><a href="${link.url}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2f6b3c;color:#ffffff;text-decoration:none;font-weight:600">${link.label}</a></p>
<p style="margin:0 0 16px;font-size:14px;word-break:break-all">${link.url}</p>
${closing.map((text) => html`<p style="margin:0 0 8px;font-size:14px;color:#6b7280">${text}</p>\n`)}
</div>
</body>
</html>
`.text
}

function printHtmlBlock(block: string | Quote): Html {
  if (typeof block === "string") return html`<p style="margin:0 0 16px">${block}</p>\n`
  const lines = block.quote
    .split("\n")
    .map((line, index) => html`${index > 0 && html`<br>`}${line}`)
  return html`<blockquote style="margin:0 0 16px;padding-left:12px;border-left:3px solid #9ca3af">${lines}</blockquote>\n`
}

/** A name given by a user, as it may stand in a sentence of ours. */
export function shownName(name: string): string {
  return oneLine(name, MAX_NAME_CHARS)
}
