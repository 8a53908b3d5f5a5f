/** Every kind of background work, one line each. */
import type { AnyTask } from "../queue.ts"
import { backUpTask } from "./back-up.ts"
import { calculateCohort } from "./calculate-cohort.ts"
import { deleteEvents } from "./delete-events.ts"
import { promoteProperties } from "./promote-properties.ts"
import { rebuildPersonsTask } from "./rebuild-persons.ts"
import { refreshCohortsTask } from "./refresh-cohorts.ts"
import { sendInvite } from "./send-invite.ts"
import { sendMemberJoined } from "./send-member-joined.ts"
import { squashOverrides } from "./squash-overrides.ts"
import type { TaskTools } from "./tools.ts"

export const tasks: readonly AnyTask<TaskTools>[] = [
  sendInvite,
  sendMemberJoined,
  deleteEvents,
  squashOverrides,
  promoteProperties,
  rebuildPersonsTask,
  backUpTask,
  calculateCohort,
  refreshCohortsTask,
]
