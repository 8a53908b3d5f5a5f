/** What can become of a mail: the runner gives up on a rejected one and tries a delayed one again. */
import type { NodemailerError } from "nodemailer"
import { headerText } from "./address.ts"

/** The server refused this message for good, or it could never be sent: the same message fails again. */
export class MailRejected extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "MailRejected"
  }
}

/** The message did not go out now and may later: no answer, a temporary refusal, a wrong login. */
export class MailDelayed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "MailDelayed"
  }
}

/**
 * Only a final answer to the envelope or the message speaks of the message itself. A refused login or greeting
 * speaks of the settings, which the operator can put right while the mail waits.
 */
export function asMailError(error: unknown): MailRejected | MailDelayed {
  if (error instanceof MailDelayed || error instanceof MailRejected) return error
  const { code, permanent, response, message } = error as NodemailerError
  const reason = headerText(response ?? message)
  const isAboutMessage = code === "EENVELOPE" || code === "EMESSAGE"
  if (isAboutMessage && permanent !== false) {
    return new MailRejected(`the mail server rejects the message: ${reason}`, { cause: error })
  }
  return new MailDelayed(`the mail server did not take the message: ${reason}`, { cause: error })
}
