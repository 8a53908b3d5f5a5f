/** Every resource of the API, one line each. */

import { domainEndpoints } from "./domains/endpoints.ts"
import { explicitMemberEndpoints } from "./explicit-members/endpoints.ts"
import type { Endpoint } from "./http/endpoint.ts"
import { organizationEndpoints } from "./organizations/endpoints.ts"
import { projectEndpoints } from "./projects/endpoints.ts"

export const endpoints: readonly Endpoint[] = [
  ...organizationEndpoints,
  ...domainEndpoints,
  ...projectEndpoints,
  ...explicitMemberEndpoints,
]
