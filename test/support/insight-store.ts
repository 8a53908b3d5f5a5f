/** Events of made-up people in a real engine, to run an insight's plan on. */
import { randomUUID } from "node:crypto"
import type { ColumnarEngine } from "../../src/columnar/engine.ts"
import type { InsightContext, Plan } from "../../src/insights/insight.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { parsePropertyFilters } from "../../src/query/filters/parse.ts"
import { openTestEngine } from "./test-engine.ts"

/** Moments are ISO, "2020-01-01T12:00:00Z". */
interface InsightPerson {
  /** Any name; events refer to it. */
  readonly name: string
  /** That of its first event, when not given. */
  readonly created_at?: string
  readonly properties?: JsonObject
}

export interface InsightEvent {
  readonly person: string
  readonly event: string
  readonly at: string
  readonly properties?: JsonObject
  readonly distinct_id?: string
}

export interface InsightData {
  readonly events: readonly InsightEvent[]
  /** People whom events name need no entry of their own. */
  readonly persons?: readonly InsightPerson[]
  readonly groups?: readonly {
    readonly index: number
    readonly key: string
    readonly properties: JsonObject
  }[]
  /** People of whom one became the other. */
  readonly merged?: readonly { readonly from: string; readonly into: string }[]
}

export interface InsightStore extends AsyncDisposable {
  readonly engine: ColumnarEngine
  /** Puts the data into a project of its own. */
  load(data: InsightData): Promise<LoadedProject>
  run<T>(plan: Plan<T>): Promise<T>
}

export interface LoadedProject {
  readonly project_id: number
  /** The uuid of a person by name. */
  uuidOf(person: string): string
  /** The name of a person by uuid. */
  nameOf(uuid: unknown): string
  context(settings?: Partial<InsightContext>): InsightContext
}

const LIMITS = { timeoutMs: 60_000 }

export async function openInsightStore(): Promise<InsightStore> {
  const opened = await openTestEngine()
  const { engine } = opened
  let projects = 0
  return {
    engine,
    async load(data) {
      projects += 1
      return loadProject(engine, projects, data)
    },
    run: (plan) => runPlan(plan, engine),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

async function runPlan<T>(plan: Plan<T>, engine: ColumnarEngine): Promise<T> {
  let step = plan.next()
  while (step.done !== true) step = plan.next(await engine.rows(step.value, LIMITS))
  return step.value
}

async function loadProject(
  engine: ColumnarEngine,
  project_id: number,
  data: InsightData,
): Promise<LoadedProject> {
  const names = [
    ...new Set([
      ...(data.persons ?? []).map(({ name }) => name),
      ...data.events.map(({ person }) => person),
      ...(data.merged ?? []).flatMap(({ from, into }) => [from, into]),
    ]),
  ]
  const uuids = new Map(names.map((name) => [name, randomUUID() as string]))
  const uuidOf = (name: string) => uuids.get(name) ?? ""
  const gone = new Set((data.merged ?? []).map(({ from }) => from))
  await engine.apply({
    persons: names
      .filter((name) => !gone.has(name))
      .map((name, index) =>
        personRow(data, { name, uuid: uuidOf(name), project_id, id: index + 1 }),
      ),
    groups: (data.groups ?? []).map(({ index, key, properties }) => ({
      project_id,
      group_type_index: index,
      group_key: key,
      version: 1,
      created_at: "2020-01-01 00:00:00.000000",
      properties,
    })),
    events: data.events.map((event) => eventRow(event, { project_id, uuid: uuidOf(event.person) })),
  })
  if (data.merged !== undefined) await mergeAll(engine, data.merged, { project_id, uuidOf })
  const byUuid = new Map([...uuids].map(([name, uuid]) => [uuid, name]))
  return {
    project_id,
    uuidOf,
    nameOf: (uuid) => byUuid.get(String(uuid)) ?? "",
    context: (settings) => contextOf(project_id, settings),
  }
}

function personRow(
  { persons = [], events }: InsightData,
  place: { name: string; uuid: string; project_id: number; id: number },
) {
  const { name, uuid, project_id, id } = place
  const person = persons.find((each) => each.name === name)
  const times = events.filter((event) => event.person === name).map(({ at }) => at)
  const created = person?.created_at ?? times.sort()[0] ?? "2020-01-01T00:00:00Z"
  return {
    project_id,
    id,
    uuid,
    version: 1,
    snapshot_id: id,
    is_identified: false,
    created_at: engineTime(created),
    properties: person?.properties ?? {},
  }
}

function eventRow(event: InsightEvent, place: { project_id: number; uuid: string }) {
  return {
    project_id: place.project_id,
    uuid: randomUUID() as string,
    event: event.event,
    timestamp: engineTime(event.at),
    distinct_id: event.distinct_id ?? event.person,
    person_id: place.uuid,
    snapshot_id: null,
    received_at: engineTime(event.at),
    elements_chain: "",
    properties: event.properties ?? {},
  }
}

async function mergeAll(
  engine: ColumnarEngine,
  merged: NonNullable<InsightData["merged"]>,
  { project_id, uuidOf }: { project_id: number; uuidOf: (name: string) => string },
): Promise<void> {
  const prepared = await engine.prepare({
    events: [],
    persons: [],
    snapshots: [],
    groups: [],
    overrides: merged.map(({ from, into }) => ({
      project_id,
      old_person_id: uuidOf(from),
      person_id: uuidOf(into),
    })),
    merged: [],
    mark: { log_id: `merges-${project_id}`, position: 1 },
  })
  await engine.append(prepared)
}

function contextOf(project_id: number, settings: Partial<InsightContext> = {}): InsightContext {
  return {
    project_id,
    now: new Date("2020-01-20T12:00:00Z"),
    timezone: "UTC",
    weekStartsOn: 0,
    testAccountFilters: parsePropertyFilters([]),
    pathCleaning: [],
    personsByDistinctId: new Map(),
    cohortNames: new Map(),
    compileExpression: (text) => {
      throw new Error(`no language here to compile ${text}`)
    },
    compileCondition: (text) => {
      throw new Error(`no language here to compile ${text}`)
    },
    ...settings,
  }
}

const engineTime = (iso: string): string =>
  `${new Date(iso).toISOString().replace("T", " ").slice(0, -1)}000`
