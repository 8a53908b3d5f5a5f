/** A browser for tests: keeps the cookies it is given, and sends the CSRF token as the web app does. */
import type { TestApp } from "./app.ts"
import type { Answer, CallOptions } from "./client.ts"

/** Everybody's password in tests, with a hash of the least cost: node's scrypt, N = 16, r = 1, p = 1. */
export const PASSWORD = "hazel"
const PASSWORD_HASH =
  "scrypt$16$1$1$AAAAAAAAAAAAAAAAAAAAAA$Ehxjcumo0KK-pPhMuC6BwnlDphSvEuWgTedrGkwnoTk"

export async function givePassword(app: TestApp, { id }: { readonly id: number }): Promise<void> {
  await app.db`update app_user set password_hash = ${PASSWORD_HASH} where id = ${id}`
}

export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #app: TestApp

  constructor(app: TestApp) {
    this.#app = app
  }

  async call(method: string, url: string, options: CallOptions = {}): Promise<Answer> {
    const token = this.cookies.get("hedgerow_csrftoken")
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const answer = await this.#app.call(method, url, {
      ...options,
      headers: {
        ...(cookie === "" ? {} : { cookie }),
        ...(token === undefined || method === "GET" ? {} : { "x-csrftoken": token }),
        ...options.headers,
      },
    })
    for (const line of answer.headers.getSetCookie()) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "") this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  signIn(email: string, password = PASSWORD): Promise<Answer> {
    return this.call("POST", "/api/login", { body: { email, password } })
  }
}

/** Signed in with a fresh session. */
export async function openBrowser(
  app: TestApp,
  user: { readonly id: number; readonly email: string },
): Promise<Browser> {
  await givePassword(app, user)
  const browser = new Browser(app)
  const { status, text } = await browser.signIn(user.email)
  if (status !== 200) throw new Error(`signing in failed: ${text}`)
  return browser
}
