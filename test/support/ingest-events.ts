/** Runs events through the pipeline as one record, over empty stores. */

import type { GroupType } from "../../src/groups/store.ts"
import { IngestBatch, type IngestRecord } from "../../src/ingest/pipeline.ts"
import type { IngestProject } from "../../src/ingest/steps/draft.ts"
import { GroupTypes } from "../../src/ingest/steps/group-types.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { firstUuid } from "./persons-in-memory.ts"

interface IngestOptions extends Partial<IngestRecord["head"]> {
  readonly project?: Partial<IngestProject>
  readonly groupTypes?: readonly GroupType[]
}

export function ingestEvents(events: readonly JsonObject[], options: IngestOptions = {}) {
  const { project, groupTypes = [], ...head } = options
  const known = new GroupTypes(groupTypes)
  const projects = new Map([[1, { id: 1, anonymize_ips: false, ...project }]])
  const batch = new IngestBatch({ projects, groupTypes: known })
  const received = { project_id: 1, received_at: Date.UTC(2026, 0, 2, 12), ip: null, sent_at: null }
  finished(batch.add({ head: { ...received, ...head }, events }, "log:0"))
  const { changes, rows } = finished(batch.identify({ find: () => undefined, baseUuid: firstUuid }))
  return {
    rows: rows(changes.snapshots.map((_, index) => 100 + index)),
    changes,
    warnings: [...batch.warnings, ...changes.warnings],
    drops: batch.drops,
    groupUpdates: batch.groupUpdates.list(),
    newGroupTypes: known.created,
    wantedIds: batch.wantedIds().map((wanted) => wanted.distinct_id),
  }
}

function finished<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
