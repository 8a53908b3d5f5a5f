import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DomainError } from "../lib/errors.ts"
import { comparableUrl, type PluginLocation, parseLocation, publicUrl } from "./location.ts"

const npm = (name: string, version?: string): PluginLocation => ({ kind: "npm", name, version })
const git = (kind: "github" | "gitlab", repository: string, ref?: string): PluginLocation => ({
  kind,
  repository,
  ref,
  token: undefined,
})
const github = (ref?: string) => git("github", "ana/plugin", ref)
const gitlab = (repository: string, ref?: string) => git("gitlab", repository, ref)

describe("a plugin's url", () => {
  const cases: [url: string, location: PluginLocation][] = [
    ["file:/srv/plugins/a", { kind: "file", path: "/srv/plugins/a" }],
    ["file:///srv/my%20plugin", { kind: "file", path: "/srv/my plugin" }],
    ["file://localhost/srv/a", { kind: "file", path: "/srv/a" }],
    ["file:a/b.tgz", { kind: "file", path: "a/b.tgz" }],
    ["file:100%", { kind: "file", path: "100%" }],
    ["shipped:webhook", { kind: "shipped", name: "webhook" }],
    ["hello-plugin", npm("hello-plugin")],
    [" hello-plugin ", npm("hello-plugin")],
    ["@ana/hello-plugin@1.2.3-beta.1", npm("@ana/hello-plugin", "1.2.3-beta.1")],
    ["hello@next", npm("hello", "next")],
    ["https://www.npmsite.com/package/hello", npm("hello")],
    ["https://npmsite.com/package/@ana/hello/v/1.2.3", npm("@ana/hello", "1.2.3")],
    ["https://github.com/ana/plugin", github()],
    ["https://github.com/ana/plugin/", github()],
    ["https://www.github.com/ana/plugin.git", github()],
    ["https://github.com/ana/plugin/commit/1a2b", github("1a2b")],
    ["https://github.com/ana/plugin/tree/feature/x", github("feature/x")],
    ["https://github.com/ana/plugin/releases/tag/v1.0", github("v1.0")],
    ["https://github.com/ana/plugin/archive/main.zip", github("main")],
    ["https://github.com/ana/plugin/archive/refs/tags/v1.zip", github("tags/v1")],
    ["https://gitlab.com/ana/plugin", gitlab("ana/plugin")],
    ["https://gitlab.com/group/sub/plugin.git", gitlab("group/sub/plugin")],
    ["https://gitlab.com/group/sub/plugin/-/commit/1a2b", gitlab("group/sub/plugin", "1a2b")],
    ["https://gitlab.com/ana/plugin/-/tree/a/b", gitlab("ana/plugin", "a/b")],
    ["https://gitlab.com/ana/plugin/-/releases/v1", gitlab("ana/plugin", "v1")],
    ["https://gitlab.com/ana/plugin/-/archive/v1/plugin-v1.zip", gitlab("ana/plugin", "v1")],
    ["https://gitlab.com/ana/plugin/tree/main", gitlab("ana/plugin", "main")],
  ]
  test.each(cases)("%s is understood", (url, location) => {
    expect(parseLocation(url)).toEqual(location)
  })

  const unsupported = [
    ...[
      "",
      " ",
      "not a url",
      "-rf",
      "--help",
      "../a",
      "./a",
      "/srv/a",
      "a/b",
      "@ana",
      "a@",
      "a@../b",
    ],
    ...["git+ssh://github.com/ana/plugin", "ftp://github.com/a/b", "https://example.com/a/b"],
    ...["https://github.com", "https://github.com/ana", "https://github.com/ana/.."],
    ...["https://github.com/ana/plugin/issues", "https://github.com/ana/plugin/tree"],
    ...["https://github.com/ana/plugin/tree/a..b", "https://github.com/ana/plugin/archive/x"],
    ...[
      "https://u:p@github.com/ana/plugin",
      "https://gitlab.com/ana",
      "https://gitlab.com/a/b/-/x",
    ],
    ...["https://npmsite.com/hello", "file:", "file://host/a", "shipped:../a", "x".repeat(900)],
    ...["https://npmsite.com/package/hello?private_token=s", "hello\nworld"],
  ]
  test.each(unsupported)("%j is refused", (url) => {
    expect(() => parseLocation(url)).toThrow(DomainError)
  })

  test("may be on a host of one's own, in a folder too", () => {
    const hosts = {
      githubUrl: "http://127.0.0.1:9000",
      githubApiUrl: "http://127.0.0.1:9000/api/v3",
      gitlabUrl: "https://git.example.com/lab/",
    }
    expect(parseLocation("http://127.0.0.1:9000/ana/plugin", hosts)).toEqual(github())
    const nested = "https://git.example.com/lab/ana/plugin"
    expect(parseLocation(nested, hosts)).toEqual(gitlab("ana/plugin"))
    expect(() => parseLocation("https://github.com/ana/plugin", hosts)).toThrow(DomainError)
  })

  test("keeps its token for downloads only", () => {
    const url = "https://github.com/ana/plugin?private_token=s3cret&a=1"
    expect(parseLocation(url)).toMatchObject({ repository: "ana/plugin", token: "s3cret" })
    expect(publicUrl(url)).toBe("https://github.com/ana/plugin?a=1")
    expect(publicUrl("https://github.com/a/b?private%5Ftoken=s")).toBe("https://github.com/a/b")
    expect(() => parseLocation("https://example.com/a?private_token=s3cret")).not.toThrow("s3cret")
  })

  const same: string[][] = [
    ["file:x", "file:x/", "file:./x", "file:/srv/x", "file:///srv/x", "file:a/../x?y=1"],
    [
      "hello",
      " hello ",
      "https://www.npmsite.com/package/hello",
      "https://npmsite.org/package/hello/",
    ],
    ["hello@1.0.0", "https://npmsite.com/package/hello/v/1.0.0"],
    ["shipped:webhook"],
    [
      "https://github.com/ana/plugin",
      "https://github.com/ana/plugin/?private_token=s3cret#readme",
      "https://www.github.com/ana/plugin.git",
    ],
    ["https://github.com/ana/plugin/tree/main", "https://github.com/ana/plugin/archive/main.zip"],
    ["https://gitlab.com/ana/plugin", "https://gitlab.com/ana/plugin.git"],
  ]
  const comparable = (url: string) => comparableUrl(parseLocation(url), "/srv")

  test.each(same)("%s is the same place however it is written", (...urls) => {
    expect(new Set(urls.map(comparable)).size).toBe(1)
  })

  test("of another place is not the same", () => {
    expect(new Set(same.flat().map(comparable)).size).toBe(same.length)
    expect(comparable("file:X")).not.toBe(comparable("file:x"))
  })

  test("is understood or refused in our own words, whatever it is", () => {
    const word = fc.constantFrom(
      ...["https://", "github.com", "gitlab.com", "/", "..", "-", "?private_token=", "@", "file:"],
      ...["%", "%2e", "#", ":", "tree", "archive", ".zip", "a", "package", "npmsite.com", "\\"],
    )
    const url = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(word).map((words) => words.join("")),
    )
    fc.assert(
      fc.property(url, (text) => {
        try {
          parseLocation(text)
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError)
        }
        expect(publicUrl(text)).not.toContain("private_token=")
      }),
      { numRuns: 500 },
    )
  })
})
