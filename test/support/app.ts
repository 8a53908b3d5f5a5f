/** The whole platform on a port of its own, and short words to call it. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll } from "vitest"
import { LEVEL, type LevelName } from "../../src/api/http/levels.ts"
import { createOrganization } from "../../src/api/organizations/store.ts"
import { createKey } from "../../src/api/personal-api-keys/store.ts"
import { createUser } from "../../src/api/users/store.ts"
import { type App, openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config.ts"
import { FixedClock } from "../../src/lib/clock.ts"
import { newUuid, randomLetters } from "../../src/lib/ids.ts"
import { openLogger } from "../../src/lib/logger.ts"
import type { Db } from "../../src/relational/db.ts"
import { type Answer, type CallOptions, call } from "./client.ts"
import { clickHouseUrl, databaseOf, dropDatabase } from "./columnar-engine.ts"
import { openTestDatabase } from "./database.ts"

/** When every test begins. */
export const START = "2026-03-02T10:00:00Z"

export interface Person {
  readonly id: number
  readonly uuid: string
  readonly email: string
  readonly key: string
}

/** What a test says of an event; the rest is the server's. */
export interface CapturedEvent {
  readonly event: string
  readonly distinct_id: string
  readonly timestamp?: string
  readonly uuid?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly $set?: Readonly<Record<string, unknown>>
  readonly $set_once?: Readonly<Record<string, unknown>>
}

export class TestApp {
  readonly app: App
  readonly clock: FixedClock

  constructor(app: App, clock: FixedClock) {
    this.app = app
    this.clock = clock
  }

  get db(): Db {
    return this.app.services.database.db
  }

  /** Calls the API over HTTP; the answer is checked against the OpenAPI document. */
  call(method: string, url: string, options: CallOptions = {}): Promise<Answer> {
    return call(this.app.address, { method, url, ...options })
  }

  get(url: string, key?: string): Promise<Answer> {
    return this.call("GET", url, key === undefined ? {} : { key })
  }

  post(url: string, key: string, body: unknown = {}): Promise<Answer> {
    return this.call("POST", url, { key, body })
  }

  patch(url: string, key: string, body: unknown): Promise<Answer> {
    return this.call("PATCH", url, { key, body })
  }

  delete(url: string, key: string): Promise<Answer> {
    return this.call("DELETE", url, { key })
  }

  /** A user of no organization, with a key. */
  async addUser(name = "ana", scopes: readonly string[] = ["*"]): Promise<Person> {
    const email = `${name}-${randomLetters("abcdefghij", 16)}@example.com`
    const now = this.clock.now()
    const user = { email, first_name: name, password_hash: null, is_email_verified: true, now }
    const id = await createUser(this.db, user)
    const [row] = await this.db<{ uuid: string }[]>`select uuid from app_user where id = ${id}`
    return { id, uuid: row?.uuid ?? "", email, key: await this.addKey(id, { scopes }) }
  }

  async addKey(
    userId: number,
    limits: { scopes?: readonly string[]; organizations?: string[]; projects?: number[] } = {},
  ): Promise<string> {
    const { value } = await createKey(this.db, {
      user_id: userId,
      label: "test",
      scopes: limits.scopes ?? ["*"],
      scoped_teams: limits.projects ?? [],
      scoped_organizations: limits.organizations ?? [],
      now: this.clock.now(),
    })
    return value
  }

  /** An organization with its owner. */
  async addOrganization(name = "Acme") {
    const owner = await this.addUser("owner")
    const { database } = this.app.services
    const { id, project } = await database.transaction((db) =>
      createOrganization(db, { name, ownerId: owner.id, now: this.clock.now() }),
    )
    return { id, owner, project, url: `/api/organizations/${id}` }
  }

  /** Sends events as an SDK would, and waits until they can be queried. */
  async capture(project: { readonly id: number }, events: readonly CapturedEvent[]): Promise<void> {
    const [row] = await this.db<{ api_token: string }[]>`
      select api_token from project where id = ${project.id}`
    const answer = await fetch(`${this.app.address}/batch`, {
      method: "POST",
      body: JSON.stringify({ api_key: row?.api_token, batch: events }),
    })
    if (answer.status !== 200) throw new Error(`capture answered: ${await answer.text()}`)
    await this.app.ingest?.settle()
  }

  /** One more member of an organization. */
  async addMember(organizationId: string, level: LevelName = "member", name: string = level) {
    const person = await this.addUser(name)
    const now = this.clock.now()
    await this.db`
      insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
      values (${newUuid()}, ${organizationId}, ${person.id}, ${LEVEL[level]}, ${now}, ${now})`
    await this.db`
      update app_user set current_organization_id = ${organizationId} where id = ${person.id}`
    return person
  }
}

export interface TestAppOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** Tests write beside the app, so by default it must not keep answers. */
  readonly isSoleWriter?: boolean
}

async function openTestApp({ settings = {}, isSoleWriter = false }: TestAppOptions = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hedgerow-app-"))
  const clock = new FixedClock(START)
  const config = readConfig({
    PORT: "0",
    HEDGEROW_DATA_DIR: dataDir,
    HEDGEROW_ROLES: "api,capture",
    ...(clickHouseUrl === undefined
      ? {}
      : { CLICKHOUSE_URL: clickHouseUrl, CLICKHOUSE_DATABASE: databaseOf(dataDir) }),
    ...settings,
  })
  const app = await openApp({
    config,
    clock,
    logger: openLogger({ form: "json", level: "error" }),
    database: await openTestDatabase(),
    isSoleWriter,
    pollSeconds: 0.5,
  })
  const close = async () => {
    await app.close()
    await dropDatabase(databaseOf(dataDir))
    await rm(dataDir, { recursive: true, force: true })
  }
  return { testApp: new TestApp(app, clock), close }
}

/** One app for all tests of a file: they keep apart by organizations of their own. */
export function useTestApp(options: TestAppOptions = {}): TestApp {
  let opened: Awaited<ReturnType<typeof openTestApp>> | undefined
  beforeAll(async () => {
    opened = await openTestApp(options)
  })
  afterAll(() => opened?.close())
  // The app is there once the tests run; until then only its methods are looked at.
  return new Proxy({} as TestApp, {
    get(_target, name) {
      if (opened === undefined) throw new Error("the test app opens before the first test")
      const value = Reflect.get(opened.testApp, name, opened.testApp) as unknown
      // `db` is callable too, but its own object: bound, it would lose its methods.
      return typeof value === "function" && name !== "db" ? value.bind(opened.testApp) : value
    },
  })
}
