/** Prometheus metrics of one app; `/metrics` prints them. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"

export interface Metrics {
  readonly registry: Registry
  countRequest(request: { endpoint: string; method: string; status: number; seconds: number }): void
  /** Numbers that others keep; read when somebody looks. */
  expose(number: ExposedNumber): void
}

interface ExposedNumber {
  readonly name: `hedgerow_${string}`
  readonly help: string
  /** Counters only grow; gauges go up and down. */
  readonly kind: "counter" | "gauge"
  /** One number, or one per value of the label. */
  readonly read: () => number | Readonly<Record<string, number>>
  readonly label?: string
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: "hedgerow_http_requests_total",
    help: "Requests answered, by endpoint and status.",
    labelNames: ["endpoint", "method", "status"],
    registers: [registry],
  })
  const durations = new Histogram({
    name: "hedgerow_http_request_seconds",
    help: "Time to answer, by endpoint.",
    labelNames: ["endpoint"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    registry,
    countRequest({ endpoint, method, status, seconds }) {
      requests.inc({ endpoint, method, status })
      durations.observe({ endpoint }, seconds)
    },
    expose: (number) => expose(registry, number),
  }
}

function expose(registry: Registry, { kind, label, read, ...named }: ExposedNumber): void {
  const options = {
    ...named,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
  }
  const show = (set: (labels: Record<string, string>, value: number) => void) => {
    const value = read()
    if (typeof value === "number") set({}, value)
    else for (const [name, count] of Object.entries(value)) set({ [label ?? "name"]: name }, count)
  }
  if (kind === "gauge") {
    new Gauge({
      ...options,
      collect: function () {
        show((labels, value) => this.set(labels, value))
      },
    })
    return
  }
  new Counter({
    ...options,
    collect() {
      this.reset()
      show((labels, value) => this.inc(labels, value))
    },
  })
}
