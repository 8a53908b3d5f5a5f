/** Where plugins may come from on this instance, read once from its settings. */
import { type CatalogueEntry, readCatalogue } from "./catalogue.ts"
import type { FetchSettings } from "./fetch.ts"
import type { GitHosts } from "./location.ts"

export interface PluginSources {
  readonly catalogue: readonly CatalogueEntry[]
  readonly fetchSettings: FetchSettings
}

export interface PluginSettings extends GitHosts {
  /** A file with further entries of the catalogue. */
  readonly catalogue: string | undefined
  /** The folder that `file:` plugins must be in. */
  readonly folder: string
}

export async function readPluginSources(settings: PluginSettings): Promise<PluginSources> {
  const { catalogue, folder, githubUrl, githubApiUrl, gitlabUrl } = settings
  const fetchSettings = { localRoot: folder, hosts: { githubUrl, githubApiUrl, gitlabUrl } }
  return { catalogue: await readCatalogue(fetchSettings, catalogue), fetchSettings }
}
