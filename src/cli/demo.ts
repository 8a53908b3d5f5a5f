import { type DemoPlan, demoEvents } from "../demo/events.ts"
import { sendEvents } from "../demo/send.ts"
import { elapsedMs, systemClock } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { type Db, first } from "../relational/db.ts"
import { type Command, parseWords } from "./command.ts"
import { firstStartBox } from "./first-start-box.ts"
import { type Instance, openInstance } from "./instance.ts"
import { withProgress } from "./progress.ts"

export const demo: Command = {
  name: "demo",
  usage: "demo [options]",
  summary:
    "Fill a project with a lively sample: [--events N] [--project ID] [--seed S] [--days D].",

  async run(words) {
    const { projectId, ...plan } = parseDemo(words)
    const instance = await openInstance()
    try {
      const { app, database } = instance
      if (app?.firstStart !== undefined) {
        console.log(firstStartBox(app.firstStart, laterAddress(instance)))
      }
      const project = await getProject(database.db, projectId)
      console.log(await withProgress((show) => send(instance, { plan, project, show })))
      if (app !== undefined) console.log("look at them after `hedgerow start`")
      return 0
    } finally {
      await instance[Symbol.asyncDispose]()
    }
  },
}

/** Where `start` will listen, not this command for its own use. */
function laterAddress({ config, address }: Instance): string {
  const { siteUrl, host, port } = config
  if (siteUrl !== undefined || port === 0) return siteUrl ?? address
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

type Wanted = Omit<DemoPlan, "end"> & { readonly projectId: number | undefined }

const EVENTS_MAX = 100_000_000
const DAYS_MAX = 3_650
const SEED_LENGTH_MAX = 100

export function parseDemo(words: readonly string[]): Wanted {
  const { values } = parseWords({
    args: [...words],
    options: {
      events: { type: "string", default: "100000" },
      project: { type: "string" },
      seed: { type: "string", default: "hedgerow" },
      days: { type: "string", default: "90" },
    },
  })
  if (values.seed.length > SEED_LENGTH_MAX) {
    throw new StartError(`demo: --seed must have at most ${SEED_LENGTH_MAX} characters`)
  }
  const { project, seed } = values
  return {
    count: parseCount("--events", values.events, EVENTS_MAX),
    days: parseCount("--days", values.days, DAYS_MAX),
    projectId: project === undefined ? undefined : parseCount("--project", project, 2 ** 31 - 1),
    seed,
  }
}

function parseCount(option: string, text: string, max: number): number {
  const count = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= max) return count
  throw new StartError(`demo: ${option} must be a whole number from 1 to ${max}, not "${text}"`)
}

interface Project {
  readonly id: number
  readonly name: string
  readonly api_token: string
}

/** Without an id, the oldest one. */
async function getProject(db: Db, id: number | undefined): Promise<Project> {
  const project = await first(db<Project[]>`
    select id, name, api_token from project
    where ${id === undefined ? db`true` : db`id = ${id}`} order by id limit 1`)
  if (project !== undefined) return project
  throw new StartError(id === undefined ? "demo: there is no project" : `demo: no project ${id}`)
}

interface Job {
  readonly plan: Omit<DemoPlan, "end">
  readonly project: Project
  readonly show: (message: string) => void
}

async function send({ app, address }: Instance, { plan, project, show }: Job): Promise<string> {
  const startMs = elapsedMs()
  const events = demoEvents({ ...plan, end: systemClock.now() })
  const count = await sendEvents(events, {
    address,
    token: project.api_token,
    onSent: (sent) => {
      const percent = Math.floor((100 * sent) / plan.count)
      show(`${sent} of ${plan.count} events sent (${percent} %)`)
    },
  })
  show("storing them")
  await app?.ingest?.settle()
  const seconds = ((elapsedMs() - startMs) / 1_000).toFixed(1)
  const where = `project ${project.id} (${shownName(project.name)})`
  return `sent ${count} events of ${plan.days} days to ${where} in ${seconds} s`
}

/** What users wrote must not move the cursor of the operator's terminal. */
function shownName(name: string): string {
  return name.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ")
}
