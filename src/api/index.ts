/** Every resource of the API, one line each. */
import type { Endpoint } from "./http/endpoint.ts"
import { organizationEndpoints } from "./organizations/endpoints.ts"

export const endpoints: readonly Endpoint[] = [...organizationEndpoints]
