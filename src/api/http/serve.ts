/** Runs one request through one endpoint definition; `endpoint.ts` tells the steps. */
import type { FastifyReply, FastifyRequest } from "fastify"
import type { z } from "zod"
import { notFound } from "../../lib/errors.ts"
import { stringifyExact } from "../../lib/exact-json.ts"
import type { Db } from "../../relational/db.ts"
import { ACCEPTED_STATUS, AcceptedReply } from "./accepted.ts"
import { checkAccess, checkScope, type Place, placeIn } from "./access.ts"
import {
  findProof,
  forgery,
  invalidProof,
  isForged,
  notAuthenticated,
  type Proof,
} from "./authenticate.ts"
import { type BinaryReply, sendBinary } from "./binary.ts"
import { readBody } from "./body.ts"
import { type Caller, findCaller, type PlaceName, type Sighting } from "./caller.ts"
import type { CookieChange, Endpoint } from "./endpoint.ts"
import { checkStorable } from "./json-text.ts"
import type { KeptReads, ReadMoment } from "./kept-reads.ts"
import { envelope, type Listing, parsePage } from "./paging.ts"
import type { RateLimiter } from "./rate-limit.ts"
import type { Services } from "./services.ts"
import { requestAddress, siteUrlOf } from "./site-url.ts"
import { StreamedReply } from "./streamed.ts"
import { parseInput } from "./validation.ts"

/** The definition's own types are checked where it is written; here it is run as data. */
type Step = ((context: object) => Promise<unknown>) | undefined

/** Present where reads may be kept. */
export interface Cache {
  readonly sightings: KeptReads<Sighting | undefined>
  /** As JSON text. */
  readonly answers: KeptReads<string>
}

export interface Serving {
  readonly endpoint: Endpoint
  readonly services: Services
  readonly limiter: RateLimiter | undefined
  readonly cache: Cache | undefined
}

export async function serve(serving: Serving, request: FastifyRequest, reply: FastifyReply) {
  const { endpoint, services, cache } = serving
  const { database, clock } = services
  const moment = { db: database.db, now: clock.now(), writeCount: database.writeCount() }
  const actor = await admit(serving, request, moment)
  if (cache !== undefined && endpoint.isKept === true) {
    const address = requestAddress(services.config.siteUrl, request)
    const text = await cache.answers.find(`${proofId(actor.caller)} ${address}`, moment, async () =>
      stringifyExact(await answerTo(serving, request, { ...actor, ...moment, reply })),
    )
    return reply.code(endpoint.status).type(JSON_TYPE).send(text)
  }
  const answer = await answerTo(serving, request, { ...actor, ...moment, reply })
  if (answer instanceof AcceptedReply) {
    return reply.code(ACCEPTED_STATUS).type(JSON_TYPE).send(stringifyExact(answer.body))
  }
  if (answer instanceof StreamedReply) return answer.send(reply.code(endpoint.status))
  if (endpoint.replyTypes !== undefined) return sendBinary(reply, answer as BinaryReply)
  if (endpoint.reply === null) return reply.code(endpoint.status).send(null)
  return reply.code(endpoint.status).type(JSON_TYPE).send(stringifyExact(answer))
}

async function answerTo(
  serving: Serving,
  request: FastifyRequest,
  { reply, ...actor }: Actor & Moment & { reply: FastifyReply },
): Promise<unknown> {
  const cookies: CookieChange[] = []
  const input = await inputOf(serving.endpoint, request)
  const whenGone = () => goneSignal(reply)
  const surroundings = surroundingsOf(serving, request, actor.now)
  const prepared = { ...surroundings, whenGone, ...actor, cookies, input }
  if (isRead(serving.endpoint)) return run(serving.endpoint, prepared)
  const answer = await write(serving, request, prepared)
  await serving.endpoint.after?.(serving.services, answer as never)
  for (const change of cookies) setCookie(reply, change, prepared.siteUrl)
  return answer
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort(new Error("the caller hung up"))
  })
  return controller.signal
}

const JSON_TYPE = "application/json; charset=utf-8"

/** By the key, not the user: a limited key sees less. */
function proofId(caller: Caller | undefined): string {
  return caller?.key?.id ?? caller?.session?.id_hash ?? "anyone"
}

function isRead({ method, readsOnly }: Endpoint): boolean {
  return method === "GET" || readsOnly === true
}

interface Moment {
  readonly db: Db
  readonly now: Date
}

/** Step 1: who calls, and may they. */
async function admit(serving: Serving, request: FastifyRequest, moment: Moment & ReadMoment) {
  const { endpoint, limiter } = serving
  const proof = findProof(request)
  if (endpoint.access.kind === "anyone") return admitAnyone(proof, request, moment)
  if (proof === undefined) throw notAuthenticated()
  const place = placeIn(endpoint.access, request.params as Record<string, string>)
  const sighting = await seeCaller(serving, moment, { proof, place })
  if (sighting === undefined) throw invalidProof(proof)
  if (isForged(request, sighting)) throw forgery()
  const actor = permit(endpoint, sighting)
  if (limiter !== undefined && sighting.caller.key !== null) {
    limiter.count(sighting.caller.key.id, moment.now)
  }
  return actor
}

/** A doubtful caller is a stranger here, so that a browser with half of its cookies can sign in again. */
async function admitAnyone(proof: Proof | undefined, request: FastifyRequest, moment: Moment) {
  const sighting = proof === undefined ? undefined : await see(moment, proof, undefined)
  const isKnown = sighting !== undefined && !isForged(request, sighting)
  return { caller: isKnown ? sighting.caller : undefined, organization: null, project: null }
}

/** A look that only a read follows may be a kept one. */
function seeCaller(
  { endpoint, cache }: Serving,
  moment: Moment & ReadMoment,
  { proof, place }: { proof: Proof; place: PlaceName | undefined },
) {
  if (cache === undefined || !isRead(endpoint)) return see(moment, proof, place)
  const { kind, value } = proof.credential
  const name = `${kind} ${value} ${place?.kind} ${place?.name}`
  return cache.sightings.find(name, moment, () => see(moment, proof, place))
}

function see({ db, now }: Moment, proof: Proof, place: PlaceName | undefined) {
  return findCaller(db, proof.credential, { place, now })
}

function permit(endpoint: Endpoint, sighting: Sighting): Place & Pick<Sighting, "caller"> {
  checkScope(sighting.caller, endpoint.scope)
  return { caller: sighting.caller, ...checkAccess(endpoint.access, sighting) }
}

function surroundingsOf({ endpoint, services }: Serving, request: FastifyRequest, now: Date) {
  const query = request.query as Record<string, unknown>
  const page = parsePage(query, endpoint.pageSizeMax ?? 0)
  const address = requestAddress(services.config.siteUrl, request)
  return {
    now,
    services,
    page,
    params: request.params,
    ip: request.ip,
    siteUrl: siteUrlOf(services.config.siteUrl, request),
    address,
    paginate: <T>(listing: Listing<T>) => envelope(listing, page, address),
  }
}

type Actor = Place & { readonly caller: Caller | undefined }
type Prepared = ReturnType<typeof surroundingsOf> &
  Actor & {
    readonly whenGone: () => AbortSignal
    readonly cookies: CookieChange[]
    readonly input: Input
  }

async function write({ endpoint, services }: Serving, request: FastifyRequest, prepared: Prepared) {
  const { database } = services
  const brought =
    endpoint.outside === undefined
      ? undefined
      : await run(endpoint, { ...prepared, db: database.db }, "outside")
  return database.transaction(async (db) => {
    // A retried transaction starts over, and so do its cookies.
    prepared.cookies.length = 0
    const actor =
      endpoint.lock === undefined ? {} : await lockAndLook(endpoint, request, { ...prepared, db })
    return run(endpoint, { ...prepared, ...actor, db, brought })
  })
}

/**
 * Takes the lock and looks at the caller's rights again, because they may have been changed by whoever held
 * the lock before.
 */
async function lockAndLook(
  endpoint: Endpoint,
  request: FastifyRequest,
  prepared: Prepared & Moment,
) {
  const { db, organization, caller } = prepared
  await (endpoint.lock === "user"
    ? db`select 1 from app_user where id = ${caller?.user.id ?? null} for no key update`
    : db`select 1 from organization where id = ${organization?.id ?? null} for no key update`)
  const proof = findProof(request)
  const sighting = proof === undefined ? undefined : await see(prepared, proof, placeOf(prepared))
  if (sighting === undefined) throw notAuthenticated()
  return permit(endpoint, sighting)
}

/** By its id: `@current` may mean another place by now. */
function placeOf({ organization, project }: Place): PlaceName | undefined {
  if (project !== null) return { kind: "project", name: String(project.id) }
  return organization === null ? undefined : { kind: "organization", name: organization.id }
}

async function run(
  endpoint: Endpoint,
  prepared: Prepared & Moment & { brought?: unknown },
  last: "handle" | "outside" = "handle",
): Promise<unknown> {
  const { cookies, input, ...rest } = prepared
  const context = { ...rest, setCookie: (change: CookieChange) => void cookies.push(change) }
  checkParams(rest.params as Record<string, string>)
  const loaded = await (endpoint.load as Step)?.(context)
  if ("error" in input) throw input.error
  return (endpoint[last] as Step)?.({ ...context, loaded, ...input })
}

/** Parsed once and before any lock is held; what is wrong with it is said after the object was found. */
type Input = { readonly query: unknown; readonly body: unknown } | { readonly error: unknown }

async function inputOf(endpoint: Endpoint, request: FastifyRequest): Promise<Input> {
  try {
    const query = parseQuery(endpoint.query, request)
    return { query, body: await parseBody(endpoint, request) }
  } catch (error) {
    return { error }
  }
}

/** No store can even look for such an id. */
function checkParams(params: Readonly<Record<string, string>>): void {
  if (Object.values(params).some((value) => value.includes("\u0000"))) throw notFound()
}

function parseQuery(schema: z.ZodType | undefined, request: FastifyRequest): unknown {
  return schema === undefined ? {} : parseStorable(schema, request.query)
}

/** A body that nobody asked for must still be one: whoever sent half of it did not mean the action. */
async function parseBody(endpoint: Endpoint, request: FastifyRequest): Promise<unknown> {
  if (endpoint.method === "GET" || endpoint.method === "DELETE") return undefined
  const bytes = Buffer.isBuffer(request.body) ? request.body : undefined
  const raw = { contentType: request.headers["content-type"], bytes }
  const value = await readBody(raw, endpoint)
  return endpoint.body === undefined ? undefined : parseStorable(endpoint.body, value)
}

function parseStorable(schema: z.ZodType, input: unknown): unknown {
  const value = parseInput(schema, input)
  checkStorable(value)
  return value
}

function setCookie(reply: FastifyReply, change: CookieChange, siteUrl: string): void {
  const options = {
    path: "/",
    sameSite: "lax",
    secure: siteUrl.startsWith("https:"),
    httpOnly: change.isReadableByScript !== true,
    signed: change.isReadableByScript !== true,
    ...(change.maxAgeSeconds === undefined ? {} : { maxAge: change.maxAgeSeconds }),
  } as const
  if (change.value === null) void reply.clearCookie(change.name, { path: "/" })
  else void reply.setCookie(change.name, change.value, options)
}
