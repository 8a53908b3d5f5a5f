/** What an event tells about its person by itself: the last value, and as `$initial_…` the first one. */
const FROM_EVENT = [
  ...["$app_build", "$app_name", "$app_namespace", "$app_version", "$browser", "$browser_version"],
  ...["$device_type", "$current_url", "$pathname", "$os", "$os_version"],
  ...["$referring_domain", "$referrer"],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_name", "utm_term"],
  ...["gclid", "gad_source", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "twclid"],
  ...["li_fat_id", "mc_cid", "igshid", "ttclid"],
]

/** From the key of an event's property to the key that keeps the person's first value. */
export const initialKeys: ReadonlyMap<string, string> = new Map(
  FROM_EVENT.map((key) => [key, `$initial_${key.startsWith("$") ? key.slice(1) : key}`]),
)

/** Whether a change of the value is not worth a write of its own: such values change all the time. */
export function isAutoProperty(key: string): boolean {
  return initialKeys.has(key) || key.startsWith("$geoip_")
}
