/** The mail that tells a member of an organization that somebody joined it. */
import type { Message } from "../mailer.ts"
import { type Letter, PRODUCT_NAME, printHtml, printText, shownName } from "./letter.ts"

export interface MemberJoinedFacts {
  readonly siteUrl: string
  readonly organizationName: string
  readonly newcomer: {
    readonly first_name: string
    readonly last_name: string
    readonly email: string
  }
  /** One mail per reader, so that members do not see each other's addresses in it. */
  readonly reader: { readonly first_name: string; readonly email: string }
}

export function memberJoinedMessage(facts: MemberJoinedFacts): Message {
  const { newcomer, reader } = facts
  const organization = shownName(facts.organizationName)
  const name = shownName(`${newcomer.first_name} ${newcomer.last_name}`) || newcomer.email
  const who = name === newcomer.email ? name : `${name} (${newcomer.email})`
  const firstName = shownName(reader.first_name)
  const letter: Letter = {
    paragraphs: [
      firstName === "" ? "Hello," : `Hello ${firstName},`,
      `${who} has joined ${organization} on ${PRODUCT_NAME}.`,
    ],
    link: { label: `Open ${PRODUCT_NAME}`, url: facts.siteUrl.replace(/\/+$/, "") },
    closing: [
      `You receive this mail as a member of ${organization}; its administrators can turn such mails off.`,
    ],
  }
  return {
    to: reader.email,
    subject: `${name} has joined ${organization}`,
    text: printText(letter),
    html: printHtml(letter),
  }
}
