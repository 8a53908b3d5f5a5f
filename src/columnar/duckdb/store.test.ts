import { copyFile, readdir, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { StartError } from "../../lib/errors.ts"
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

describe("a folder", () => {
  async function openFilled() {
    const place = await openFolder()
    const store = await Store.open({ folder: place.folder, ...SETTINGS })
    await store.write((tx) => tx.run("CREATE TABLE t AS SELECT 1 AS a"))
    await store.close()
    return place
  }
  const file = (folder: string, name: string) => path.join(folder, name)

  test("that lost its marker is opened with the one store it holds", async () => {
    await using place = await openFilled()
    await rm(file(place.folder, "current"))
    await writeFile(file(place.folder, "store-2.duckdb"), "")
    const store = await Store.open({ folder: place.folder, ...SETTINGS })
    expect(await store.query((connection) => readTexts(connection, "FROM t"))).toEqual([["1"]])
    await store.close()
    expect(await readdir(place.folder)).toContain("current")
  })

  test("with several stores and no marker is left alone, and the start says so", async () => {
    await using place = await openFilled()
    const { folder } = place
    await rm(file(folder, "current"))
    await copyFile(file(folder, "store-1.duckdb"), file(folder, "store-2.duckdb"))
    const opening = Store.open({ folder, ...SETTINGS })
    await expect(opening).rejects.toThrow(StartError)
    await expect(opening).rejects.toThrow(folder)
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining(["store-1.duckdb", "store-2.duckdb"]),
    )
  })

  test("whose marker names a file that is not there is never an empty store", async () => {
    await using place = await openFilled()
    await rm(file(place.folder, "store-1.duckdb"))
    const opening = Store.open({ folder: place.folder, ...SETTINGS })
    await expect(opening).rejects.toThrow(StartError)
    await expect(opening).rejects.toThrow(/store-1\.duckdb/)
  })
})

test("a statement reaches no file outside the folder, and cannot change that", async () => {
  await using place = await openFolder()
  await using elsewhere = await openFolder()
  await writeFile(path.join(elsewhere.folder, "secret"), "x")
  const store = await Store.open({ folder: place.folder, ...SETTINGS })
  const run = (sql: string) => store.query((connection) => readTexts(connection, sql))
  await expect(run(`FROM read_text('${elsewhere.folder}/secret')`)).rejects.toThrow(/disabled/)
  await expect(run(`ATTACH '${elsewhere.folder}/x.duckdb' AS x`)).rejects.toThrow(/disabled/)
  await expect(run("SET memory_limit = '1GB'")).rejects.toThrow(/locked/)
  await store.close()
})
