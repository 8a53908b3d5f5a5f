/** Every kind of background work, one line each. */
import type { AnyTask } from "../queue.ts"
import type { TaskTools } from "./tools.ts"

export const tasks: readonly AnyTask<TaskTools>[] = []
