import { z } from "zod"
import { anyText, freeObject, timestamp } from "../http/fields.ts"
import { Plugin } from "../plugins/schema.ts"

const NAME_MAX = 400
const DESCRIPTION_MAX = 1_000
const INTEGER_MAX = 2_147_483_647
const CONFIG_CHARS_MAX = 256 * 1024

/** How one project uses a plugin. */
export const PluginConfig = z
  .object({
    id: z.int(),
    plugin: z.int(),
    enabled: z.boolean(),
    order: z.int(),
    config: freeObject.meta({ description: "Secret values are shown as ********." }),
    error: z.null(),
    team_id: z.int(),
    plugin_info: Plugin,
    delivery_rate_24h: z.number().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    name: z.string().nullable(),
    description: z.string().nullable(),
    deleted: z.boolean(),
  })
  .meta({ id: "PluginConfig" })
export type PluginConfig = z.infer<typeof PluginConfig>

const config = freeObject.refine((value) => JSON.stringify(value).length <= CONFIG_CHARS_MAX, {
  error: `Ensure this has no more than ${CONFIG_CHARS_MAX} characters as JSON.`,
  params: { code: "max_length" },
})

export const PluginConfigUpdate = z.object({
  enabled: z.boolean().optional(),
  order: z.int().min(0).max(INTEGER_MAX).optional(),
  config: config.optional().meta({
    description: "Keys left out stay; null removes one; ******** keeps a secret as it is.",
  }),
  name: anyText(NAME_MAX).nullable().optional(),
  description: anyText(DESCRIPTION_MAX).nullable().optional(),
})
export type PluginConfigUpdate = z.infer<typeof PluginConfigUpdate>

export const PluginConfigDraft = PluginConfigUpdate.extend({
  plugin: z.int().min(1).max(INTEGER_MAX).meta({ description: "Id of a plugin." }),
})
export type PluginConfigDraft = z.infer<typeof PluginConfigDraft>
