/**
 * The server's settings, given on its command line: they take effect at the next start whatever the files of
 * the folder say. Small in memory and processes, and durable.
 */
export type Settings = Readonly<Record<string, string>>

const SETTINGS: Settings = {
  // Reached only through the socket, whose folder only its owner may enter.
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "50",

  // Pages are taken as they are used; the operating system's cache does the rest.
  shared_buffers: "64MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  huge_pages: "off",
  jit: "off",

  // Fewer processes: no workers for reading, replication or parallel plans.
  io_method: "sync",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  max_logical_replication_workers: "0",
  autovacuum_max_workers: "2",
  autovacuum_worker_slots: "2",

  fsync: "on",
  synchronous_commit: "on",
  wal_level: "minimal",
  max_wal_senders: "0",
  min_wal_size: "64MB",
  max_wal_size: "512MB",
  checkpoint_timeout: "15min",

  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // Without details and statements: these hold the users' data.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
}

export function settingArguments(socketFolder: string, port: number, own: Settings = {}): string[] {
  const place = { port: `${port}`, unix_socket_directories: quoteFolder(socketFolder) }
  return Object.entries({ ...SETTINGS, ...place, ...own }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ])
}

/** The setting is a list; quotes keep a comma or a space inside one folder's name. */
function quoteFolder(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`
}
