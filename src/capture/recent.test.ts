import { expect, test } from "vitest"
import { positionAfter } from "../log/log.ts"
import { RecentRequests } from "./recent.ts"
import { decodeRecord, encodeRecord, type RecordHead } from "./record.ts"

const head: RecordHead = {
  ...{ project_id: 1, received_at: 0, ip: null, sent_at: null, shape: "array" },
}

/** As capture does: the text is parsed once, appended, and kept under its position. */
function keep(recent: RecentRequests, position: number, text: string) {
  const payload = encodeRecord(head, Buffer.from(text))
  const next = positionAfter(position, payload)
  recent.keep({ position, next, head, body: { value: JSON.parse(text), text } })
  return { next, payload }
}

test("what is taken is what the log would give, huge numbers included", () => {
  const recent = new RecentRequests()
  const text = '[{"event":"a","properties":{"big":12345678901234567890,"tiny":1e-400,"n":1.5}}]'
  const { payload } = keep(recent, 0, text)
  const [taken] = recent.take(0, 1_000).requests
  expect(taken?.decode()).toEqual(decodeRecord(Buffer.concat(payload)))
})

test("requests are taken in order until a gap or the bytes are enough, each once", () => {
  const recent = new RecentRequests()
  const second = keep(recent, 0, '[{"event":"a"}]').next
  const third = keep(recent, second, '[{"event":"b"}]').next
  keep(recent, third + 100, '[{"event":"c"}]')
  expect(recent.take(0, 1).requests.map(({ position }) => position)).toEqual([0])
  const taken = recent.take(second, 1_000)
  expect(taken.requests.map(({ position }) => position)).toEqual([second])
  expect(taken.next).toBe(third)
  expect(recent.take(0, 1_000).requests).toEqual([])
  expect(recent.take(third + 100, 1_000).requests).toHaveLength(1)
})

test("what ingestion went past is forgotten, so that there is room", () => {
  const recent = new RecentRequests()
  const large = `[{"event":"${"x".repeat(9 * 1024 * 1024)}"}]`
  let position = 0
  for (let count = 0; count < 4; count++) position = keep(recent, position, large).next
  expect(recent.take(0, Number.MAX_SAFE_INTEGER).requests).toHaveLength(2)
  const last = keep(recent, position, large)
  expect(recent.take(position, Number.MAX_SAFE_INTEGER).next).toBe(last.next)
})
