/**
 * One endpoint, one definition. The route (with and without trailing slash), the checks, the transaction,
 * the documentation and the metric labels are all derived from it.
 *
 * The life of a request:
 *   1. authenticate, check scope and access, count against the rate limit;
 *   2. parse query and body, once and before any lock; what is wrong with them is said later;
 *   3. `load`: find the object the path names (404 comes before any complaint about the body);
 *   4. `outside`: slow work that must not hold a transaction (downloads, DNS);
 *   5. `handle`: in one transaction, unless the method only reads. With `outside`, `load` runs again;
 *   6. `after`: what must be done before the answer goes out, once the transaction is committed.
 */
import type { z } from "zod"
import type { Db } from "../../relational/db.ts"
import type { AcceptedReply } from "./accepted.ts"
import type { Access, Anyone, InOrganization, InProject, NeededScope, SignedIn } from "./access.ts"
import type { Caller, OrganizationPlace, ProjectPlace } from "./caller.ts"
import type { Envelope, Listing, Page } from "./paging.ts"
import type { Services } from "./services.ts"
import type { StreamedReply } from "./streamed.ts"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

type PathParam<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParam<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** What depends on the access of the endpoint: who calls, and where. */
type Actor<A extends Access> = A extends InProject
  ? { caller: Caller; organization: OrganizationPlace & { level: number }; project: ProjectPlace }
  : A extends InOrganization
    ? { caller: Caller; organization: OrganizationPlace & { level: number } }
    : A extends SignedIn
      ? { caller: Caller }
      : A extends Anyone
        ? { caller: Caller | undefined }
        : never

export interface CookieChange {
  readonly name: string
  /** Null removes the cookie. */
  readonly value: string | null
  readonly isReadableByScript?: boolean
  readonly maxAgeSeconds?: number
}

interface Surroundings<Path extends string> {
  readonly db: Db
  readonly now: Date
  readonly params: Readonly<Record<PathParam<Path>, string>>
  readonly services: Services
  /** Scheme, host and base of this instance as the caller sees it, without a trailing slash. */
  readonly siteUrl: string
  /** The absolute address of this request, query included; it may hold a key. */
  readonly address: string
  readonly ip: string
  /** Aborted when the caller hangs up before the answer: nobody waits for the work any more. */
  whenGone(): AbortSignal
  readonly page: Page
  paginate<T>(listing: Listing<T>): Envelope<T>
  /** Applied only if the request succeeds. */
  setCookie(change: CookieChange): void
}

type Context<A extends Access, Path extends string> = Surroundings<Path> & Actor<A>

export interface EndpointSpec<
  A extends Access,
  Path extends string,
  Query,
  Body,
  Reply,
  Loaded,
  Brought,
> {
  /** Unique; the operation id of the documentation and the label of the metrics. */
  readonly name: string
  readonly method: Method
  readonly path: Path
  readonly tag: string
  readonly summary: string
  readonly access: A
  readonly scope: NeededScope
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  /** The body may come as multipart/form-data too: fields as text, files as `Upload`. */
  readonly takesUpload?: boolean
  /** Null: no body, status 204. */
  readonly reply: z.ZodType<Reply> | null
  /** Media types of a reply that is bytes; its schema is then `BinaryBody`. */
  readonly replyTypes?: readonly string[]
  /** Media types besides JSON that `handle` may answer with, as a `StreamedReply`. */
  readonly streamTypes?: readonly string[]
  /** Numbers of the body keep every digit, in the form of `lib/exact-json.ts`. */
  readonly isExact?: boolean
  readonly status?: number
  /** What is answered with 202, as an `AcceptedReply`, when the work goes on after the answer. */
  readonly accepted?: z.ZodType
  /** It writes nothing, whatever its method: no transaction is opened for it. */
  readonly readsOnly?: true
  /** Largest `limit` of a list; also says that the endpoint is paged. */
  readonly pageSizeMax?: number
  /** A read of nothing but what this process writes in transactions: see `kept-reads.ts`. */
  readonly isKept?: boolean
  /** Serialises writes that depend on who may do what: in the organization, or as this user. */
  readonly lock?: "organization" | "user"
  readonly load?: (context: Context<A, Path>) => Promise<Loaded>
  readonly outside?: (
    context: Context<A, Path> & { query: Query; body: Body; loaded: Loaded },
  ) => Promise<Brought>
  readonly handle: (
    context: Context<A, Path> & { query: Query; body: Body; loaded: Loaded; brought: Brought },
  ) => Promise<Reply | StreamedReply | AcceptedReply>
  /** Only for writes; a failure here is answered as one, though the write stays. */
  readonly after?: (services: Services, answer: Reply) => Promise<void>
}

/** An endpoint whose own types are forgotten, as the registry holds it. */
export interface Endpoint {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly access: Access
  readonly scope: NeededScope
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly takesUpload?: boolean
  readonly reply: z.ZodType | null
  readonly replyTypes?: readonly string[]
  readonly streamTypes?: readonly string[]
  readonly isExact?: boolean
  readonly status: number
  readonly accepted?: z.ZodType
  readonly readsOnly?: true
  readonly pageSizeMax?: number
  readonly isKept?: boolean
  readonly lock?: "organization" | "user"
  readonly load?: (context: never) => Promise<unknown>
  readonly outside?: (context: never) => Promise<unknown>
  readonly handle: (context: never) => Promise<unknown>
  readonly after?: (services: Services, answer: never) => Promise<void>
}

export function endpoint<
  A extends Access,
  const Path extends `/api/${string}`,
  Reply,
  Query = Record<string, never>,
  Body = undefined,
  Loaded = undefined,
  Brought = undefined,
>(spec: EndpointSpec<A, Path, Query, Body, Reply, Loaded, Brought>): Endpoint {
  return { ...spec, status: spec.status ?? (spec.reply === null ? 204 : 200) }
}

/** The bytes of one uploaded file. */
export interface Upload {
  readonly file_name: string
  readonly content_type: string
  readonly bytes: Uint8Array
}

type UpdateSpec<
  A extends Access,
  Path extends string,
  Shape extends z.ZodRawShape,
  Reply,
  Loaded,
  Brought,
> = Omit<
  EndpointSpec<
    A,
    Path,
    Record<string, never>,
    Partial<z.output<z.ZodObject<Shape>>>,
    Reply,
    Loaded,
    Brought
  >,
  "method" | "body"
> & { readonly body: z.ZodObject<Shape> }

/** PUT, which needs every required field, beside PATCH, which takes any of them. */
export function updateEndpoints<
  A extends Access,
  const Path extends `/api/${string}`,
  Shape extends z.ZodRawShape,
  Reply,
  Loaded = undefined,
  Brought = undefined,
>(spec: UpdateSpec<A, Path, Shape, Reply, Loaded, Brought>): readonly [Endpoint, Endpoint] {
  const full = spec.body as unknown as z.ZodType<Partial<z.output<z.ZodObject<Shape>>>>
  const partial = spec.body.partial() as unknown as typeof full
  return [
    endpoint({ ...spec, name: `${spec.name}_partial`, method: "PATCH", body: partial }),
    endpoint({ ...spec, method: "PUT", body: full }),
  ]
}
