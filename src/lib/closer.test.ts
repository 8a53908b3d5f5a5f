import { expect, test } from "vitest"
import { Closer } from "./closer.ts"

test("what was opened first is closed last, one after the other", async () => {
  const closed: string[] = []
  const closer = new Closer()
  closer.add(() => closed.push("store"))
  closer.use({
    async [Symbol.asyncDispose]() {
      await Promise.resolve()
      closed.push("queue")
    },
  })
  closer.add(() => closed.push("server"))
  await closer.close()
  expect(closed).toEqual(["server", "queue", "store"])
})

test("a second close does nothing", async () => {
  let count = 0
  const closer = new Closer()
  closer.add(() => {
    count += 1
  })
  await Promise.all([closer.close(), closer.close()])
  expect(count).toBe(1)
})

test("one failure does not keep the rest open, and is told", async () => {
  const closed: string[] = []
  const closer = new Closer()
  closer.add(() => closed.push("store"))
  closer.add(() => Promise.reject(new Error("stuck")))
  await expect(closer.close()).rejects.toThrow("stuck")
  expect(closed).toEqual(["store"])
})

test("several failures are told together", async () => {
  const closer = new Closer()
  for (const reason of ["first", "second"]) closer.add(() => Promise.reject(new Error(reason)))
  const error = await closer.close().catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(AggregateError)
  expect((error as AggregateError).errors.map(String)).toEqual(["Error: second", "Error: first"])
})

test("leaving its block closes it", async () => {
  let isClosed = false
  {
    await using closer = new Closer()
    closer.add(() => {
      isClosed = true
    })
  }
  expect(isClosed).toBe(true)
})
