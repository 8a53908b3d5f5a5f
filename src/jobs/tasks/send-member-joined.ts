/**
 * Tells one member that somebody joined the organization. One job per reader: what fails for one is tried
 * again for that one alone, and nobody gets the same mail twice.
 */
import { z } from "zod"
import { findJoinNews } from "../../api/members/store.ts"
import { MailRejected } from "../../mail/mail-errors.ts"
import { memberJoinedMessage } from "../../mail/messages/member-joined.ts"
import { GiveUp, type Task } from "../queue.ts"
import type { TaskTools } from "./tools.ts"

const Payload = z.object({
  organization_id: z.uuid(),
  newcomer_id: z.int(),
  reader_id: z.int(),
  site_url: z.url(),
})
type Payload = z.infer<typeof Payload>

export const sendMemberJoined: Task<TaskTools, Payload> = {
  name: "send-member-joined",
  payload: Payload,

  async run({ database, mailer }, payload) {
    const news = await findJoinNews(database.db, payload)
    // One of the two has left, or the organization turned these mails off.
    if (news === undefined) return
    const { organization_name, newcomer, reader } = news
    const message = memberJoinedMessage({
      siteUrl: payload.site_url,
      organizationName: organization_name,
      newcomer,
      reader,
    })
    try {
      await mailer.send(message)
    } catch (error) {
      if (!(error instanceof MailRejected)) throw error
      throw new GiveUp(`user ${payload.reader_id} cannot be mailed`, { cause: error })
    }
  },
}
