import { expect, test } from "vitest"
import { createProgress } from "./progress.ts"

function collect(isTTY: boolean) {
  const texts: string[] = []
  const progress = createProgress({ isTTY, write: (text: string) => texts.push(text) })
  return { texts, progress }
}

test("on a terminal one line changes, and is gone at the end", () => {
  const { texts, progress } = collect(true)
  progress.show("one")
  progress.show("two")
  progress.end()
  expect(texts.join("")).toBe("\r\u001b[Kone\r\u001b[Ktwo\r\u001b[K")
})

test("elsewhere progress is plain lines, not many of them", () => {
  const { texts, progress } = collect(false)
  for (let step = 0; step < 100; step++) progress.show(`step ${step}`)
  progress.end()
  expect(texts).toEqual(["step 0\n"])
})
