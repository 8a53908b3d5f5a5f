import { expect, test } from "vitest"
import { openLogger } from "../../lib/logger.ts"
import { readTexts } from "./read-texts.ts"
import { Store } from "./store.ts"
import { openFolder } from "./testing.ts"

const SETTINGS = {
  memoryBytes: 128 * 1024 * 1024,
  threads: 1,
  logger: openLogger({ form: "json", level: "silent" }),
}

test("a store that an error invalidated is opened again, with all that was committed", async () => {
  await using place = await openFolder()
  const store = await Store.open({ folder: place.folder, ...SETTINGS })
  await store.write((tx) => tx.run("CREATE TABLE t AS SELECT 1 AS a"))
  const fatal = new Error("FATAL Error: database has been invalidated because of a previous error")
  const slowQuery = store.query((connection) =>
    readTexts(connection, "SELECT count(*) FROM range(20000000) AS r(i) WHERE i % 7 = 3"),
  )
  await expect(
    store.write(async (tx) => {
      await tx.run("INSERT INTO t VALUES (2)")
      throw fatal
    }),
  ).rejects.toThrow(fatal)
  const read = () =>
    store.query((connection) => readTexts(connection, "SELECT a FROM t ORDER BY a"))
  expect(await read()).toEqual([["1"]])
  await store.write((tx) => tx.run("INSERT INTO t VALUES (3)"))
  await expect(store.query(() => Promise.reject(fatal))).rejects.toThrow(fatal)
  expect(await read()).toEqual([["1"], ["3"]])
  expect(await slowQuery).toEqual([["2857143"]])
  await store.close()
  await expect(read()).rejects.toThrow(/closed/)
})

test("writes are alone, queries are not kept waiting by them", async () => {
  await using place = await openFolder()
  const store = await Store.open({ folder: place.folder, ...SETTINGS })
  const order: string[] = []
  let finishFirst = () => {}
  const first = store.write(async () => {
    order.push("first begins")
    await new Promise<void>((resolve) => {
      finishFirst = resolve
    })
    order.push("first ends")
  })
  const second = store.write(async () => void order.push("second"))
  await store.query((connection) => readTexts(connection, "SELECT 1"))
  order.push("query")
  finishFirst()
  await Promise.all([first, second])
  expect(order).toEqual(["first begins", "query", "first ends", "second"])
  await store.close()
})
