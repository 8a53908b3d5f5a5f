/** The tables, and the steps that bring a store to them. */

/** In the order they are copied; `events` grows by one column per promoted property. */
export const TABLE_NAMES = [
  "events",
  "persons",
  "person_snapshots",
  "groups",
  "overrides",
  "log_marks",
  "property_columns",
  "property_strays",
  "schema_steps",
  "applied_changes",
  "cohort_members",
] as const

interface SchemaStep {
  readonly id: number
  readonly what: string
  /** `prefix` is empty, or names an attached database with a dot. */
  readonly statements: (prefix: string) => readonly string[]
}

export const SCHEMA_STEPS: readonly SchemaStep[] = [
  { id: 1, what: "events, persons, groups and overrides", statements: firstTables },
  { id: 2, what: "changes that were applied", statements: appliedChanges },
  { id: 3, what: "members of cohorts", statements: cohortMembers },
  { id: 4, what: "keys with values outside of their columns", statements: propertyStrays },
]

function firstTables(prefix: string): readonly string[] {
  return [
    `CREATE TABLE ${prefix}events (
      project_id INTEGER NOT NULL, uuid UUID NOT NULL, event VARCHAR NOT NULL,
      "timestamp" TIMESTAMP NOT NULL, distinct_id VARCHAR NOT NULL, person_id UUID NOT NULL,
      snapshot_id BIGINT, received_at TIMESTAMP NOT NULL, inserted_at TIMESTAMP NOT NULL,
      elements_chain VARCHAR NOT NULL, properties VARCHAR USING COMPRESSION zstd)`,
    `CREATE TABLE ${prefix}persons (
      project_id INTEGER NOT NULL, id BIGINT NOT NULL, uuid UUID NOT NULL, version INTEGER NOT NULL,
      snapshot_id BIGINT NOT NULL, is_identified BOOLEAN NOT NULL, created_at TIMESTAMP NOT NULL,
      email VARCHAR, properties VARCHAR NOT NULL USING COMPRESSION zstd)`,
    `CREATE TABLE ${prefix}person_snapshots (
      project_id INTEGER NOT NULL, snapshot_id BIGINT NOT NULL, person_id UUID NOT NULL,
      properties VARCHAR NOT NULL USING COMPRESSION zstd)`,
    `CREATE TABLE ${prefix}groups (
      project_id INTEGER NOT NULL, group_type_index INTEGER NOT NULL, group_key VARCHAR NOT NULL,
      version INTEGER NOT NULL, created_at TIMESTAMP NOT NULL,
      properties VARCHAR NOT NULL USING COMPRESSION zstd)`,
    `CREATE TABLE ${prefix}overrides (
      project_id INTEGER NOT NULL, old_person_id UUID NOT NULL, person_id UUID NOT NULL)`,
    `CREATE TABLE ${prefix}log_marks (log_id VARCHAR NOT NULL, position BIGINT NOT NULL)`,
    `CREATE TABLE ${prefix}property_columns (
      number INTEGER NOT NULL, key VARCHAR NOT NULL, type VARCHAR NOT NULL, is_filled BOOLEAN NOT NULL)`,
    `CREATE TABLE ${prefix}schema_steps (id INTEGER NOT NULL)`,
  ]
}

function appliedChanges(prefix: string): readonly string[] {
  return [`CREATE TABLE ${prefix}applied_changes (id BIGINT NOT NULL)`]
}

/** No person twice in a cohort: those who write see to it. */
function cohortMembers(prefix: string): readonly string[] {
  return [
    `CREATE TABLE ${prefix}cohort_members (
      project_id INTEGER NOT NULL, cohort_id INTEGER NOT NULL, person_id UUID NOT NULL)`,
  ]
}

/** Of what is stored already nobody knows; so it is taken for granted. */
function propertyStrays(prefix: string): readonly string[] {
  return [
    `CREATE TABLE ${prefix}property_strays (key VARCHAR NOT NULL)`,
    `INSERT INTO ${prefix}property_strays SELECT DISTINCT key FROM ${prefix}property_columns`,
  ]
}
