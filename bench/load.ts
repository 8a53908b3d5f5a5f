/** A load from another process: made first, then sent. */
import type { LoadPlan, LoadResult } from "./load-plan.ts"
import { startScript } from "./script.ts"

export interface ReadyLoad {
  send(): Promise<LoadResult>
}

export async function prepareLoad(plan: LoadPlan): Promise<ReadyLoad> {
  const script = startScript("load-generator.ts", [JSON.stringify(plan)])
  await script.line()
  return {
    async send() {
      script.say("go")
      const result = JSON.parse(await script.line()) as LoadResult
      if (result.failedRequestCount > 0) {
        throw new Error(`${result.failedRequestCount} requests failed: ${result.failure}`)
      }
      return result
    },
  }
}

export async function sendLoad(plan: LoadPlan): Promise<LoadResult> {
  return (await prepareLoad(plan)).send()
}
