/** A bare node:http server that reads and parses the same bodies: what capture is measured against. */
import http from "node:http"
import type { AddressInfo } from "node:net"

const ANSWER = '{"status":1}'
const HEADERS = { "content-type": "application/json", "content-length": ANSWER.length }

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString("utf8"))
    response.writeHead(200, HEADERS).end(ANSWER)
  })
})
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
