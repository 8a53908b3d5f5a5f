import { z } from "zod"
import { DomainError, invalid } from "../../lib/errors.ts"
import { anyText, LevelChoice, timestamp } from "../http/fields.ts"
import { parseInput } from "../http/validation.ts"
import { EmbeddedUser } from "../users/schema.ts"
import { normalizeAddress } from "./address.ts"
import { ProjectAccess, ProjectAccessInput, parseProjectAccess } from "./project-access.ts"

const ADDRESS_MAX = 254
const FIRST_NAME_MAX = 30
const MESSAGE_MAX = 2_000
const BATCH_MAX = 20

export const Invite = z
  .object({
    id: z.uuid(),
    target_email: z.string(),
    first_name: z.string(),
    emailing_attempt_made: z.boolean(),
    level: LevelChoice,
    is_expired: z.boolean(),
    created_by: EmbeddedUser.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    message: z.string().nullable(),
    private_project_access: z.array(ProjectAccess).nullable(),
    send_email: z.boolean(),
  })
  .meta({ id: "Invite" })
export type Invite = z.infer<typeof Invite>

/** One plain mailbox at a domain with a dot: what the mailer takes, and no more. */
const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/

const address = z
  .string()
  .trim()
  .min(1)
  .max(ADDRESS_MAX)
  .regex(ADDRESS, "Enter a valid email address, such as ana@example.com.")
  .meta({ format: "email" })
  .transform(normalizeAddress)

export const InviteDraft = z.object({
  target_email: address,
  first_name: anyText(FIRST_NAME_MAX).optional(),
  level: LevelChoice.optional(),
  message: anyText(MESSAGE_MAX).nullable().optional(),
  private_project_access: z
    .unknown()
    .meta(documented(ProjectAccessInput))
    .transform(parseProjectAccess)
    .optional(),
  send_email: z.boolean().optional(),
  combine_pending_invites: z.boolean().optional(),
})
export type InviteDraft = z.infer<typeof InviteDraft>

export const InviteOrInvites = z.union([z.array(Invite), Invite])

/** One invite or a list of them; the answer has the same form. */
export const InviteBatch = z
  .unknown()
  .meta(documented(z.union([z.array(InviteDraft).max(BATCH_MAX), InviteDraft])))
  .transform(parseBatch)
export type InviteBatch = z.infer<typeof InviteBatch>

function parseBatch(body: unknown) {
  if (!Array.isArray(body)) return { isList: false, drafts: [parseOne(body)] }
  if (body.length > BATCH_MAX) {
    const detail = `At most ${BATCH_MAX} invites can be sent at once, not ${body.length}.`
    throw invalid(detail, null, "max_length")
  }
  const drafts = body.map((item: unknown, index) => inItem(index, () => parseOne(item)))
  checkAddressesDiffer(drafts)
  return { isList: true, drafts }
}

function parseOne(body: unknown): InviteDraft {
  if (typeof body !== "object" || body === null) {
    throw invalid(`Expected an invite or a list of up to ${BATCH_MAX} invites.`)
  }
  return parseInput(InviteDraft, body)
}

/** The second invite would replace the first, which would then be answered and not exist. */
function checkAddressesDiffer(drafts: readonly InviteDraft[]): void {
  const seen = new Set<string>()
  for (const [index, { target_email }] of drafts.entries()) {
    const key = target_email.toLowerCase()
    if (seen.has(key)) {
      throw invalid(`Item ${index}: ${target_email} is in the list twice.`, "target_email")
    }
    seen.add(key)
  }
}

/** Errors name the field as for a single invite; the text says in which item. */
function inItem<T>(index: number, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw invalid(`Item ${index}: ${error.message}`, error.attr, error.code)
  }
}

/** How a field is described whose parsing a schema cannot do with the right errors. */
function documented(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input" })
  return described
}
