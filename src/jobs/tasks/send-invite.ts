/** Mails an invite to the person it is for. */
import { z } from "zod"
import { findInviteLetter } from "../../api/invites/store.ts"
import { MailRejected } from "../../mail/mail-errors.ts"
import { inviteMessage } from "../../mail/messages/invite.ts"
import { GiveUp, type Task } from "../queue.ts"
import type { TaskTools } from "./tools.ts"

const Payload = z.object({
  invite_id: z.uuid(),
  site_url: z.url(),
  /** Known to the node that made the invite: the setting is the API's. */
  expires_at: z.iso.datetime(),
})
type Payload = z.infer<typeof Payload>

export const sendInvite: Task<TaskTools, Payload> = {
  name: "send-invite",
  payload: Payload,

  async run({ database, mailer, clock }, { invite_id, site_url, expires_at }) {
    const expiresAt = new Date(expires_at)
    const found = await findInviteLetter(database.db, invite_id)
    // Withdrawn, replaced, used or too old by now: nobody waits for this mail.
    if (found === undefined || expiresAt <= clock.now()) return
    const { organization_name, inviter, ...invite } = found
    const facts = { siteUrl: site_url, organizationName: organization_name, inviter, invite }
    try {
      await mailer.send(inviteMessage({ ...facts, expiresAt }))
    } catch (error) {
      if (!(error instanceof MailRejected)) throw error
      throw new GiveUp(`invite ${invite_id} cannot be mailed`, { cause: error })
    }
  },
}
