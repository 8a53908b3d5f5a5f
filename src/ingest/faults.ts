/**
 * Whose fault a failed batch is. A record that cannot be read, or that PostgreSQL refuses for what is in it, fails
 * every time: it is kept aside. All else, whatever it is, may pass: the batch waits, and nothing is set aside for it.
 */
import { sqlState } from "../relational/db.ts"

/** The code that reads events could not. */
class RecordFault extends Error {}

/** Runs what depends on nothing but the records. */
export function readingRecords<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new RecordFault("the events of a record cannot be read", { cause: error })
  }
}

/** Data, integrity, size: what the statement carries is wrong, not the server. */
const FAULTY_DATA = /^(22|23|54)/

export function isOfRecords(error: unknown): boolean {
  return error instanceof RecordFault || FAULTY_DATA.test(sqlState(error) ?? "")
}
