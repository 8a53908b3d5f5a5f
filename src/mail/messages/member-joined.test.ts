import { expect, test } from "vitest"
import { type MemberJoinedFacts, memberJoinedMessage } from "./member-joined.ts"

const facts: MemberJoinedFacts = {
  siteUrl: "https://hedgerow.example",
  organizationName: "Acme",
  newcomer: { first_name: "Bo", last_name: "Berg", email: "bo@acme.example" },
  reader: { first_name: "Ana", email: "ana@acme.example" },
}

test("a joining is told to one reader, by name", () => {
  const message = memberJoinedMessage(facts)
  expect(message).toMatchObject({ to: "ana@acme.example", subject: "Bo Berg has joined Acme" })
  expect(message.text).toBe(`Hello Ana,

Bo Berg (bo@acme.example) has joined Acme on Hedgerow.

Open Hedgerow:
https://hedgerow.example

You receive this mail as a member of Acme; its administrators can turn such mails off.
`)
})

test("a newcomer without a name is shown by address", () => {
  const newcomer = { first_name: "", last_name: " ", email: "bo@acme.example" }
  const { subject, text } = memberJoinedMessage({ ...facts, newcomer })
  expect(subject).toBe("bo@acme.example has joined Acme")
  expect(text).toContain("\nbo@acme.example has joined Acme on Hedgerow.\n")
})

test("hostile names are shown as text", () => {
  const newcomer = { ...facts.newcomer, first_name: "<img src=x>\nX: y" }
  const { subject, html } = memberJoinedMessage({ ...facts, newcomer })
  expect(subject).toBe("<img src=x> X: y Berg has joined Acme")
  expect(html).not.toContain("<img")
})
