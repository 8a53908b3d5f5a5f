import { describe, expect, test } from "vitest"
import { DomainError } from "../../lib/errors.ts"
import {
  type Access,
  checkAccess,
  inOrganization,
  inProject,
  placeIn,
  signedIn,
  theOrganization,
  theProject,
} from "./access.ts"
import type { CallerKey, Sighting } from "./caller.ts"
import { LEVEL } from "./levels.ts"

const HERE = "0195a1b2-0000-7000-8000-000000000001"
const ELSEWHERE = "0195a1b2-0000-7000-8000-000000000002"

interface Facts {
  readonly level?: number | null
  readonly isThere?: boolean
  readonly isHidden?: boolean
  readonly projectLevel?: number
  readonly key?: Partial<CallerKey>
}

function sighting(facts: Facts): Sighting {
  const { level = LEVEL.owner, isThere = true, isHidden = false } = facts
  const key = { id: "k", scopes: ["*"], scoped_teams: [], scoped_organizations: [], ...facts.key }
  const projectLevel = facts.projectLevel ?? level ?? 0
  return {
    caller: { user: {} as never, key, session: null },
    organization: isThere ? { id: HERE, name: "Acme", plugins_access_level: 9, level } : null,
    project: isThere
      ? { id: 1, organization_id: HERE, is_hidden: isHidden, level: projectLevel }
      : null,
  }
}

function outcome(access: Access, facts: Facts): string {
  try {
    checkAccess(access, sighting(facts))
    return "ok"
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError)
    return (error as DomainError).kind
  }
}

describe("the place of a path", () => {
  test("is an organization's UUID, a project's number, or the current one", () => {
    const place = (access: Access, id: string) =>
      placeIn(access, { organization_id: id, project_id: id })
    expect(place(inOrganization(), HERE)).toEqual({ kind: "organization", name: HERE })
    expect(place(inOrganization(), "@current")).toMatchObject({ name: "@current" })
    expect(place(inProject(), "12")).toEqual({ kind: "project", name: "12" })
    expect(place(signedIn(), "12")).toBeUndefined()
  })

  test.each(["", "1", "null", "@me", "%", "x".repeat(10_000), "' or 1=1"])(
    "%j is an organization that nobody has",
    (id) => {
      const nobody = "00000000-0000-0000-0000-000000000000"
      expect(placeIn(inOrganization(), { organization_id: id })?.name).toBe(nobody)
    },
  )

  test.each(["", "-1", "1.5", "0x1", "2147483648", "99999999999", "one", HERE])(
    "%j is a project that nobody has",
    (id) => expect(placeIn(inProject(), { project_id: id })?.name).toBe("0"),
  )
})

describe("an organization", () => {
  test.each([
    ["member", LEVEL.member, "ok"],
    ["admin", LEVEL.member, "forbidden"],
    ["admin", LEVEL.admin, "ok"],
    ["admin", LEVEL.owner, "ok"],
    ["owner", LEVEL.admin, "forbidden"],
    ["owner", LEVEL.owner, "ok"],
  ] as const)("that needs %s answers level %i with %s", (needed, level, expected) => {
    expect(outcome(inOrganization(needed), { level })).toBe(expected)
  })

  test("that does not exist is not found", () => {
    expect(outcome(inOrganization(), { isThere: false })).toBe("not_found")
    expect(outcome(theOrganization(), { isThere: false })).toBe("not_found")
  })

  test("of others is forbidden around, and not found itself", () => {
    expect(outcome(inOrganization(), { level: null })).toBe("forbidden")
    expect(outcome(theOrganization("owner"), { level: null })).toBe("not_found")
  })

  test("is closed to keys limited to others, and to keys limited to projects", () => {
    expect(outcome(inOrganization(), { key: { scoped_organizations: [HERE] } })).toBe("ok")
    expect(outcome(inOrganization(), { key: { scoped_organizations: [ELSEWHERE] } })).toBe(
      "forbidden",
    )
    expect(outcome(theOrganization(), { key: { scoped_organizations: [ELSEWHERE] } })).toBe(
      "forbidden",
    )
    expect(outcome(inOrganization(), { key: { scoped_teams: [1] } })).toBe("forbidden")
    expect(outcome(inOrganization(), { key: { scoped_teams: [1] }, isThere: false })).toBe(
      "forbidden",
    )
  })
})

describe("a project", () => {
  test("needs the level in the project, not in the organization", () => {
    expect(outcome(inProject("admin"), { level: LEVEL.member, projectLevel: LEVEL.admin })).toBe(
      "ok",
    )
    expect(outcome(inProject("admin"), { level: LEVEL.member })).toBe("forbidden")
  })

  test("that is hidden, or of others, is forbidden around, and not found itself", () => {
    for (const facts of [{ isHidden: true }, { level: null }]) {
      expect(outcome(inProject(), facts)).toBe("forbidden")
      expect(outcome(theProject(), facts)).toBe("not_found")
    }
    expect(outcome(inProject(), { isThere: false })).toBe("not_found")
  })

  test("is open to keys limited to it or to its organization, and to no other", () => {
    expect(outcome(inProject(), { key: { scoped_teams: [1] } })).toBe("ok")
    expect(outcome(inProject(), { key: { scoped_teams: [2] } })).toBe("forbidden")
    expect(outcome(inProject(), { key: { scoped_organizations: [HERE] } })).toBe("ok")
    expect(outcome(inProject(), { key: { scoped_organizations: [ELSEWHERE] } })).toBe("forbidden")
  })
})

describe("what belongs to no place", () => {
  test("lets limited keys in as its definition says", () => {
    const ofProject = { key: { scoped_teams: [1] } }
    const ofOrganization = { key: { scoped_organizations: [HERE] } }
    expect(outcome(signedIn("all"), ofProject)).toBe("ok")
    expect(outcome(signedIn("organization"), ofProject)).toBe("forbidden")
    expect(outcome(signedIn("organization"), ofOrganization)).toBe("ok")
    expect(outcome(signedIn("none"), ofOrganization)).toBe("forbidden")
    expect(outcome(signedIn("none"), {})).toBe("ok")
  })
})
