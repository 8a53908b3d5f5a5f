/** A bare Fastify route that returns the given bytes: what the frame is measured against. */
import { readFileSync } from "node:fs"
import Fastify from "fastify"

const [file = ""] = process.argv.slice(2)
const value = JSON.parse(readFileSync(file, "utf8")) as unknown
const app = Fastify()
app.get("/api", async () => value)
console.log(await app.listen({ host: "127.0.0.1", port: 0 }))
