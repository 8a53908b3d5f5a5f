/** Prometheus metrics of one app; `/metrics` prints them. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client"

export interface Metrics {
  readonly registry: Registry
  countRequest(request: { endpoint: string; method: string; status: number; seconds: number }): void
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
  }
}
