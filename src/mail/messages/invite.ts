/** The mail that carries an invitation to an organization. */
import type { Message } from "../mailer.ts"
import { type Letter, PRODUCT_NAME, printHtml, printText, shownName } from "./letter.ts"

const MAX_NOTE_CHARS = 2_000

const ROLES: Readonly<Record<number, string>> = {
  1: "a member",
  8: "an administrator",
  15: "an owner",
}

export interface InviteFacts {
  readonly siteUrl: string
  readonly organizationName: string
  /** Null when the account of the inviter is gone. */
  readonly inviter: { readonly first_name: string; readonly email: string } | null
  readonly invite: {
    readonly id: string
    readonly target_email: string
    readonly first_name: string
    readonly level: number
    /** The inviter's own words. */
    readonly message: string | null
  }
  readonly expiresAt: Date
}

export function inviteMessage(facts: InviteFacts): Message {
  const { inviter, invite } = facts
  const letter = inviteLetter(facts)
  return {
    to: invite.target_email,
    ...(inviter && { replyTo: inviter.email }),
    subject: `${inviterName(facts)} would like you to join ${shownName(facts.organizationName)}`,
    text: printText(letter),
    html: printHtml(letter),
  }
}

function inviteLetter(facts: InviteFacts): Letter {
  const { inviter, invite } = facts
  const name = inviterName(facts)
  const who = inviter && name !== inviter.email ? `${name} (${inviter.email})` : name
  const organization = shownName(facts.organizationName)
  const role = ROLES[invite.level] ?? "a member"
  const note = shownNote(invite.message ?? "")
  const firstName = shownName(invite.first_name)
  return {
    paragraphs: [
      firstName === "" ? "Hello," : `Hello ${firstName},`,
      `${who} would like you to join ${organization} on ${PRODUCT_NAME} as ${role}.`,
      ...(note === "" ? [] : [`${name} writes:`, { quote: note }]),
    ],
    link: {
      label: `Join ${organization}`,
      url: `${facts.siteUrl.replace(/\/+$/, "")}/signup/${encodeURIComponent(invite.id)}`,
    },
    closing: [
      `The link is meant for ${invite.target_email} and works until ${shownTime(facts.expiresAt)}.`,
      ...(inviter ? [`A reply to this mail goes to ${name}.`] : []),
      "If you do not know what this is about, leave it be: without you nothing happens.",
    ],
  }
}

function shownNote(message: string): string {
  const text = message.replace(/\r\n?/g, "\n").trim()
  return Array.from(text).slice(0, MAX_NOTE_CHARS).join("")
}

function inviterName({ inviter }: InviteFacts): string {
  if (inviter === null) return "A colleague"
  return shownName(inviter.first_name) || inviter.email
}

const timeFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
})

function shownTime(time: Date): string {
  return `${timeFormat.format(time)} UTC`
}
