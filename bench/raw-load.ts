/** The raw side of ingestion: DuckDB reads a file of events into a table of typed columns. Prints what it took. */
import { statSync } from "node:fs"
import { DuckDBInstance } from "@duckdb/node-api"
import { REFERENCE_PROPERTIES } from "./reference-events.ts"

const [source = "", target = "", threads = "2"] = process.argv.slice(2)
const instance = await DuckDBInstance.create(target, {
  storage_compatibility_version: "latest",
  checkpoint_threshold: "256MB",
  threads,
})
const connection = await instance.connect()
const properties = Object.entries(REFERENCE_PROPERTIES)
const columns = properties.map(([key, type]) => `"${key}" ${type}`).join(", ")
await connection.run(
  `CREATE TABLE events (uuid UUID, event VARCHAR, distinct_id VARCHAR, "timestamp" TIMESTAMP, ${columns},
    rest VARCHAR USING COMPRESSION zstd)`,
)
const begin = performance.now()
await connection.run(
  `INSERT INTO events SELECT uuid, event, distinct_id, "timestamp", unnest(properties), NULL
    FROM read_json('${source}', format = 'newline_delimited', columns = {uuid: 'UUID', event: 'VARCHAR',
      distinct_id: 'VARCHAR', "timestamp": 'TIMESTAMP', properties: 'STRUCT(${columns})'})`,
)
const loadMs = performance.now() - begin
await connection.run("CHECKPOINT")
const checkpointMs = performance.now() - begin - loadMs
connection.closeSync()
instance.closeSync()
console.log(JSON.stringify({ loadMs, checkpointMs, bytes: statSync(target).size }))
