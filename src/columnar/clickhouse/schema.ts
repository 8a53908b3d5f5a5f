/**
 * The tables, and the steps that bring a database to them. Every statement can be run again, and by several
 * nodes at once. Rows are replaced by newer ones of the same sorting key, so every reader says FINAL.
 */

interface SchemaStep {
  readonly id: number
  readonly what: string
  readonly statements: readonly string[]
}

const TIME = "DateTime64(6, 'UTC')"
/** A string as a quote and its characters; any other value as its JSON text, numbers digit by digit. */
const PROPERTIES = "properties Map(LowCardinality(String), String) CODEC(ZSTD(1))"

export const SCHEMA_STEPS: readonly SchemaStep[] = [
  {
    id: 1,
    what: "events, copies of persons and groups, overrides, members of cohorts",
    statements: [
      `CREATE TABLE IF NOT EXISTS events (
        project_id Int32, uuid UUID, event LowCardinality(String), timestamp ${TIME} CODEC(Delta, ZSTD(1)),
        distinct_id String CODEC(ZSTD(1)), person_id UUID CODEC(ZSTD(1)), snapshot_id Nullable(Int64),
        received_at ${TIME} CODEC(Delta, ZSTD(1)), inserted_at ${TIME} DEFAULT now64(6, 'UTC') CODEC(Delta, ZSTD(1)),
        elements_chain String CODEC(ZSTD(1)), ${PROPERTIES},
        INDEX by_uuid uuid TYPE bloom_filter(0.01) GRANULARITY 1,
        INDEX by_person person_id TYPE bloom_filter(0.01) GRANULARITY 1,
        INDEX by_distinct_id distinct_id TYPE bloom_filter(0.01) GRANULARITY 1)
      ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(timestamp)
      ORDER BY (project_id, toDate(timestamp), event, uuid)`,
      `CREATE TABLE IF NOT EXISTS persons (
        project_id Int32, id Int64, uuid UUID, version Int32, snapshot_id Int64, is_identified Bool,
        created_at ${TIME}, email Nullable(String), ${PROPERTIES}, row_version UInt64, is_deleted UInt8)
      ENGINE = ReplacingMergeTree(row_version, is_deleted) ORDER BY (project_id, uuid)`,
      `CREATE TABLE IF NOT EXISTS person_snapshots (
        project_id Int32, snapshot_id Int64, person_id UUID, ${PROPERTIES})
      ENGINE = ReplacingMergeTree ORDER BY (project_id, snapshot_id)`,
      `CREATE TABLE IF NOT EXISTS groups (
        project_id Int32, group_type_index Int32, group_key String, version Int32, created_at ${TIME}, ${PROPERTIES},
        row_version UInt64 MATERIALIZED toUInt64(version))
      ENGINE = ReplacingMergeTree(row_version) ORDER BY (project_id, group_type_index, group_key)`,
      `CREATE TABLE IF NOT EXISTS overrides (
        project_id Int32, old_person_id UUID, person_id UUID, row_version UInt64, is_deleted UInt8)
      ENGINE = ReplacingMergeTree(row_version, is_deleted) ORDER BY (project_id, old_person_id)`,
      `CREATE TABLE IF NOT EXISTS cohort_members (
        project_id Int32, cohort_id Int32, person_id UUID, row_version UInt64, is_deleted UInt8)
      ENGINE = ReplacingMergeTree(row_version, is_deleted) ORDER BY (project_id, cohort_id, person_id)`,
      `CREATE TABLE IF NOT EXISTS log_marks (log_id String, position UInt64)
      ENGINE = ReplacingMergeTree(position) ORDER BY log_id`,
      "CREATE TABLE IF NOT EXISTS applied_changes (id UInt64) ENGINE = ReplacingMergeTree ORDER BY id",
    ],
  },
]
