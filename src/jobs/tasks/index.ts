/** Every kind of background work, one line each. */
import type { AnyTask } from "../queue.ts"
import { sendInvite } from "./send-invite.ts"
import { sendMemberJoined } from "./send-member-joined.ts"
import type { TaskTools } from "./tools.ts"

export const tasks: readonly AnyTask<TaskTools>[] = [sendInvite, sendMemberJoined]
