#!/usr/bin/env node
import { pathToFileURL } from "node:url"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`hedgerow: Node 20.19 or newer is needed, this is ${process.versions.node}`)
  process.exit(1)
}

const { buildIfNeeded } = await import("../tools/build.mjs")
await import(pathToFileURL(await buildIfNeeded()).href)
