/** The columnar engine that a run of the tests is about, empty; gone with all it holds when it is closed. */
import type { ColumnarEngine } from "../../src/columnar/engine.ts"
import { openEngine, openFolder } from "./columnar-engine.ts"

export interface TestEngine extends AsyncDisposable {
  readonly engine: ColumnarEngine
}

export async function openTestEngine(): Promise<TestEngine> {
  const place = await openFolder()
  const engine = await openEngine(place.folder)
  return {
    engine,
    async [Symbol.asyncDispose]() {
      await engine.close()
      await place[Symbol.asyncDispose]()
    },
  }
}
