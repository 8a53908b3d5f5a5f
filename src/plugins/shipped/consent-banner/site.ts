/** Runs in the visitor's browser; of the page it needs no more than is declared here. */
interface PageElement {
  textContent: string | null
  append(...children: PageElement[]): void
  remove(): void
  setAttribute(name: string, value: string): void
  addEventListener(type: "click", listener: () => void): void
}

declare const document: { readonly body: PageElement; createElement(tag: string): PageElement }

interface SiteMeta {
  readonly config: { readonly text?: string; readonly accept?: string; readonly decline?: string }
  readonly posthog: {
    has_opted_in_capturing(): boolean
    has_opted_out_capturing(): boolean
    opt_in_capturing(): void
    opt_out_capturing(): void
  }
}

const BANNER_STYLE =
  "position:fixed;left:1rem;right:1rem;bottom:1rem;z-index:2147483647;padding:1rem;border-radius:.5rem;" +
  "background:#fff;color:#222;font:1rem/1.5 system-ui,sans-serif;box-shadow:0 2px 12px rgb(0 0 0/.3)"
const BUTTON_STYLE = "margin-left:.5rem;padding:.25rem 1rem;font:inherit;cursor:pointer"

/** The client library remembers the answer, so the question is asked once. */
export function inject({ config, posthog }: SiteMeta): void {
  if (posthog.has_opted_in_capturing() || posthog.has_opted_out_capturing()) return
  const banner = element("div", config.text || "May we count your visit?", BANNER_STYLE)
  banner.setAttribute("role", "region")
  banner.setAttribute("aria-label", "Consent")
  const answer = (label: string, act: () => void) => {
    const button = element("button", label, BUTTON_STYLE)
    button.setAttribute("type", "button")
    button.addEventListener("click", () => {
      act()
      banner.remove()
    })
    return button
  }
  const accept = answer(config.accept || "Yes", () => posthog.opt_in_capturing())
  const decline = answer(config.decline || "No", () => posthog.opt_out_capturing())
  banner.append(accept, decline)
  document.body.append(banner)
}

function element(tag: string, text: string, style: string): PageElement {
  const made = document.createElement(tag)
  made.textContent = text
  made.setAttribute("style", style)
  return made
}
