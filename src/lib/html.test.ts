import { expect, test } from "vitest"
import { escapeHtml, type HtmlValue, html } from "./html.ts"

test("values are escaped and nested html is kept", () => {
  const name = `<b onclick="x">O'Neil & co</b>`
  expect(html`<p title="${name}">${html`<i>${1}</i>`}</p>`.text).toBe(
    '<p title="&lt;b onclick=&quot;x&quot;&gt;O&#39;Neil &amp; co&lt;/b&gt;"><i>1</i></p>',
  )
})

test("lists print their items and absent values print nothing", () => {
  const items: HtmlValue = ["a", html`<br>`, undefined, null, false, ["<"]]
  expect(html`[${items}]`.text).toBe("[a<br>&lt;]")
})

test("text without special characters stays as it is", () => {
  expect(escapeHtml("plain – ä 漢")).toBe("plain – ä 漢")
})
