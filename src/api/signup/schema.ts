import { z } from "zod"
import { anyText, text } from "../http/fields.ts"
import { Member } from "../members/schema.ts"

const NAME_MAX = 150
/** Far beyond any password that is taken: only what would be work to refuse is cut off here. */
const PASSWORD_TEXT_MAX = 1_024

/** What the holder of an invite's link sees before signing up. */
export const SignupInvite = z
  .object({
    id: z.uuid(),
    target_email: z.string(),
    first_name: z.string(),
    organization_name: z.string(),
  })
  .meta({ id: "SignupInvite" })

export const SignupDraft = z.object({
  first_name: text(NAME_MAX),
  last_name: anyText(NAME_MAX).optional(),
  password: z.string().min(1).max(PASSWORD_TEXT_MAX),
  /** The invite knows the address; another one is refused. */
  email: z.string().optional(),
})

export const AcceptedInvite = Member.extend({
  organization_id: z.uuid(),
  organization_name: z.string(),
}).meta({ id: "AcceptedInvite" })
