/** Gets the files of a plugin from wherever it is. The only part of this folder that reaches beyond the process. */

import { Gate } from "../lib/gate.ts"
import type { PluginFiles } from "./files.ts"
import { findCommit, readRepository } from "./git-host.ts"
import { readLocalPlugin, readShippedPlugin } from "./local.ts"
import type { GitHosts, PluginLocation } from "./location.ts"
import { findNpmVersion, readNpmPackage } from "./npm.ts"

export interface FetchSettings {
  /** The folder that `file:` plugins must be in. Undefined refuses them all; "/" allows any path. */
  readonly localRoot: string | undefined
  readonly hosts: GitHosts
  /** Further options for the npm program. */
  readonly npmOptions?: readonly string[]
}

export interface FetchedPlugin {
  readonly files: PluginFiles
  /** What was fetched: a version on npm, a commit on a git host, undefined where there are no versions. */
  readonly tag: string | undefined
}

const gate = new Gate({ what: "plugin downloads", maxRunning: 3, maxWaiting: 30 })

export function fetchPlugin(
  location: PluginLocation,
  settings: FetchSettings,
): Promise<FetchedPlugin> {
  return gate.run(() => readFrom(location, settings))
}

/** The tag that `fetchPlugin` would give now; undefined where there are no versions. */
export function findLatestTag(
  location: PluginLocation,
  { hosts, npmOptions }: FetchSettings,
): Promise<string | undefined> {
  return gate.run(async () => {
    switch (location.kind) {
      case "file":
      case "shipped":
        return undefined
      case "npm":
        return findNpmVersion(npmSpec(location), npmOptions)
      case "github":
      case "gitlab":
        return findCommit(location, hosts)
    }
  })
}

async function readFrom(location: PluginLocation, settings: FetchSettings): Promise<FetchedPlugin> {
  const { localRoot, hosts, npmOptions } = settings
  switch (location.kind) {
    case "file":
      return { files: await readLocalPlugin(location.path, localRoot), tag: undefined }
    case "shipped":
      return { files: await readShippedPlugin(location.name), tag: undefined }
    case "npm": {
      const { files, version } = await readNpmPackage(npmSpec(location), npmOptions)
      return { files, tag: version }
    }
    case "github":
    case "gitlab": {
      const sha = await findCommit(location, hosts)
      return { files: await readRepository(location, { hosts, sha }), tag: sha }
    }
  }
}

function npmSpec({ name, version }: { name: string; version: string | undefined }): string {
  return version === undefined ? name : `${name}@${version}`
}
