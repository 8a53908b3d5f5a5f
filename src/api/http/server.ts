/**
 * The HTTP frame: builds the server from the endpoint definitions, and gives every route, known or not,
 * the same errors, headers, logs and counts. It knows no resource.
 */
import {
  createServer as createNodeServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import cookie from "@fastify/cookie"
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify"
import { DomainError, notFound, unavailable } from "../../lib/errors.ts"
import { isUuid, newUuid } from "../../lib/ids.ts"
import type { Logger } from "../../lib/logger.ts"
import { once } from "../../lib/once.ts"
import { isJson } from "./body.ts"
import { refuseBrokenRequest } from "./broken-request.ts"
import type { Endpoint, Method } from "./endpoint.ts"
import { checkNesting } from "./json-text.ts"
import { KeptReads } from "./kept-reads.ts"
import type { Metrics } from "./metrics.ts"
import { openApiDocument } from "./openapi.ts"
import { answerFor } from "./problem.ts"
import { MANAGEMENT_WINDOWS, RateLimiter } from "./rate-limit.ts"
import { referenceCss, renderReference } from "./reference/page.ts"
import { type Cache, type Serving, serve } from "./serve.ts"
import type { Services } from "./services.ts"

const BODY_LIMIT_BYTES = 20 * 1024 * 1024
/** Where nobody has to say who they are, nobody needs to say much. */
const STRANGER_BODY_LIMIT_BYTES = 64 * 1024
/** As much as all headers together: what is too long for an id is unknown to the endpoint, as other junk. */
const PARAM_LENGTH_MAX = 16 * 1024
const REQUEST_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 72_000
const READY_TIMEOUT_MS = 2_000
const KEPT_CHARACTERS_MAX = 32_768

const SECURITY_HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
}

export interface ServerParts {
  readonly services: Services
  readonly endpoints: readonly Endpoint[]
  readonly logger: Logger
  readonly version: string
  /** True when requests can be served: `/_readyz`. */
  readonly isReady: () => Promise<boolean>
  /** Sees every request first, and says whether it is one of its own: the frame is too slow for capture. */
  readonly takesOver?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Told when closing begins, before connections end. */
  readonly onClosing?: () => void
  readonly metrics: Metrics
}

export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { services, logger } = parts
  const { trustedProxies } = services.config
  const refuse = refuser(logger)
  const app = Fastify({
    // Its own lines would double ours; what is worth saying is said by `watch` and `refuse`.
    loggerInstance: logger.child({}, { level: "silent" }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustedProxies === "none" ? false : trustedProxies,
    genReqId: (request) => {
      const sent = request.headers["x-request-id"]
      return typeof sent === "string" && isUuid(sent) ? sent : newUuid()
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAM_LENGTH_MAX },
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
    clientErrorHandler: refuseBrokenRequest,
    forceCloseConnections: "idle",
    // What arrives while closing is still served; a refusal would not have our shape.
    return503OnClosing: false,
    serverFactory: (frame) => createHttpServer(frame, parts),
  })
  // An expectation that we do not know is no reason to refuse what comes with it.
  app.server.on("checkExpectation", (request, response) => app.routing(request, response))
  await app.register(cookie, { secret: services.secretKey })
  // Bodies stay bytes until an endpoint wants them: who is calling is asked first.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (isJson(request.headers["content-type"])) checkNesting(bytes)
      return bytes
    },
  )
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  app.setNotFoundHandler((request, reply) => refuse(notFound(), request, reply))
  app.addHook("onRequest", (request, reply, done) => {
    addFrameHeaders(request, reply)
    done()
  })
  endConnectionsOnClose(app, parts.onClosing)
  watch(app, parts.metrics, logger)
  addEndpoints(app, parts)
  addFrameRoutes(app, parts)
  return app
}

function createHttpServer(frame: RequestListener, { takesOver }: ServerParts): Server {
  const listener: RequestListener =
    takesOver === undefined
      ? frame
      : (request, response) => {
          if (!takesOver(request, response)) frame(request, response)
        }
  const server = createNodeServer({ requireHostHeader: false }, listener)
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return server
}

/** A connection that is busy when closing begins would else be kept alive after its answer, and us with it. */
function endConnectionsOnClose(app: FastifyInstance, onClosing?: () => void): void {
  let isClosing = false
  app.addHook("preClose", async () => {
    isClosing = true
    onClosing?.()
  })
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isClosing) reply.header("connection", "close")
    done(null, payload)
  })
}

function refuser(logger: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = answerFor(error, request.id)
    if (answer.isBug)
      logger.error({ err: error, request: request.id, path: pathOf(request) }, "bug")
    // Some refusals come before the first hook.
    addFrameHeaders(request, reply)
    return reply.code(answer.status).headers(answer.headers).send(answer.body)
  }
}

function addFrameHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS).header("x-request-id", request.id)
}

/** Without the query: it may hold a key. */
function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0] ?? ""
}

function watch(app: FastifyInstance, metrics: Metrics, logger: Logger): void {
  app.addHook("onResponse", async (request, reply) => {
    const { endpointName = "none" } = request.routeOptions.config as { endpointName?: string }
    const seconds = reply.elapsedTime / 1_000
    const { method } = request
    const status = reply.statusCode
    metrics.countRequest({ endpoint: endpointName, method, status, seconds })
    const line = {
      request: request.id,
      method,
      path: pathOf(request),
      status,
      ms: reply.elapsedTime,
    }
    if (status >= 500) logger.warn(line, "request failed")
    else logger.debug(line, "request")
  })
}

function addEndpoints(app: FastifyInstance, { endpoints, services }: ServerParts): void {
  const limiter = services.config.rateLimits ? new RateLimiter(MANAGEMENT_WINDOWS) : undefined
  const cache = services.isSoleWriter ? openCache() : undefined
  const methodsByPath = new Map<string, Method[]>()
  for (const endpoint of endpoints) {
    const serving: Serving = { endpoint, services, limiter, cache }
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { endpointName: endpoint.name },
      ...(endpoint.access.kind === "anyone" ? { bodyLimit: STRANGER_BODY_LIMIT_BYTES } : {}),
      handler: (request, reply) => serve(serving, request, reply),
    })
    methodsByPath.set(endpoint.path, [...(methodsByPath.get(endpoint.path) ?? []), endpoint.method])
  }
  for (const [path, methods] of methodsByPath) refuseOtherMethods(app, path, methods)
}

function openCache(): Cache {
  return {
    sightings: new KeptReads((sighting) => sighting !== undefined),
    answers: new KeptReads((text) => text.length <= KEPT_CHARACTERS_MAX),
  }
}

function refuseOtherMethods(app: FastifyInstance, path: string, methods: readonly Method[]): void {
  const allowed: string[] = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
  const allow = allowed.join(", ")
  app.options(path, (_request, reply) => reply.code(204).header("allow", allow).send())
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url: path,
    exposeHeadRoute: false,
    handler: (request, reply) => {
      void reply.header("allow", allow)
      throw new DomainError("method_not_allowed", {
        code: "method_not_allowed",
        detail: `Method "${request.method}" not allowed.`,
      })
    },
  })
}

function addFrameRoutes(app: FastifyInstance, parts: ServerParts): void {
  const { metrics } = parts
  // Made on demand: it takes a good part of a cold start, and few ask for it.
  const document = once(() => openApiDocument(parts.endpoints, parts.version))
  const page = once(() => renderReference(document()))
  app.get("/api/schema", (_request, reply) => reply.send(document()))
  app.get("/api/docs", (_request, reply) => reply.type("text/html; charset=utf-8").send(page()))
  app.get("/api/docs/style.css", (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(referenceCss),
  )
  app.get("/_livez", (_request, reply) => reply.send({ status: "ok" }))
  app.get("/_readyz", async (_request, reply) => {
    if (!(await isReadyInTime(parts))) throw unavailable("The stores are not available.", 1)
    return reply.send({ status: "ok" })
  })
  app.get("/metrics", async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
  const documents = ["/api/schema", "/api/docs", "/api/docs/style.css"]
  for (const path of [...documents, "/_livez", "/_readyz", "/metrics"]) {
    refuseOtherMethods(app, path, ["GET"])
  }
}

/** A store that hangs is as good as none. */
async function isReadyInTime({ isReady }: ServerParts): Promise<boolean> {
  const isOver = new AbortController()
  const late = sleep(READY_TIMEOUT_MS, false, isOver).catch(() => false)
  try {
    return await Promise.race([isReady(), late])
  } finally {
    isOver.abort()
  }
}
