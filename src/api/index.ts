/** Every resource of the API, one line each. */

import { cohortEndpoints } from "./cohorts/endpoints.ts"
import { deletionEndpoints } from "./deletions/endpoints.ts"
import { domainEndpoints } from "./domains/endpoints.ts"
import { eventEndpoints } from "./events/endpoints.ts"
import { explicitMemberEndpoints } from "./explicit-members/endpoints.ts"
import type { Endpoint } from "./http/endpoint.ts"
import { ingestionWarningEndpoints } from "./ingestion-warnings/endpoints.ts"
import { inviteEndpoints } from "./invites/endpoints.ts"
import { mediaEndpoints } from "./media/endpoints.ts"
import { memberEndpoints } from "./members/endpoints.ts"
import { organizationEndpoints } from "./organizations/endpoints.ts"
import { personalApiKeyEndpoints } from "./personal-api-keys/endpoints.ts"
import { personCohortEndpoints } from "./persons/cohorts-endpoint.ts"
import { personEndpoints } from "./persons/endpoints.ts"
import { personLookupEndpoints } from "./persons/lookup-endpoints.ts"
import { personTimelineEndpoints } from "./persons/timeline-endpoints.ts"
import { pluginConfigEndpoints } from "./plugin-configs/endpoints.ts"
import { pluginEndpoints } from "./plugins/endpoints.ts"
import { projectEndpoints } from "./projects/endpoints.ts"
import { queryEndpoints } from "./query/endpoints.ts"
import { sessionEndpoints } from "./sessions/endpoints.ts"
import { signupEndpoints } from "./signup/endpoints.ts"
import { userEndpoints } from "./users/endpoints.ts"

export const endpoints: readonly Endpoint[] = [
  ...organizationEndpoints,
  ...domainEndpoints,
  ...memberEndpoints,
  ...inviteEndpoints,
  ...signupEndpoints,
  ...sessionEndpoints,
  ...userEndpoints,
  ...personalApiKeyEndpoints,
  ...projectEndpoints,
  ...explicitMemberEndpoints,
  ...mediaEndpoints,
  ...ingestionWarningEndpoints,
  ...personEndpoints,
  ...personTimelineEndpoints,
  ...personLookupEndpoints,
  ...personCohortEndpoints,
  ...cohortEndpoints,
  ...eventEndpoints,
  ...queryEndpoints,
  ...deletionEndpoints,
  ...pluginEndpoints,
  ...pluginConfigEndpoints,
]
