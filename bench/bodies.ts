/** Request bodies made before the clock starts; each time one is sent its events get new uuids, in place. */
import { referenceEvents } from "./reference-events.ts"

export interface Body {
  readonly bytes: Buffer
  readonly eventCount: number
  /** Where the uuids stand in the bytes. */
  readonly uuidOffsets: readonly number[]
}

export interface BodyPlan {
  readonly token: string
  readonly eventCount: number
  readonly batchSize: number
  readonly seed: number
}

/** One event a body is sent as an event, more as a batch: what SDKs do. */
export function makeBodies({ token, eventCount, batchSize, seed }: BodyPlan): Body[] {
  const bodies: Body[] = []
  let batch: object[] = []
  const finish = () => {
    const [first] = batch
    bodies.push(
      batchSize === 1
        ? bodyOf({ api_key: token, ...first }, 1)
        : bodyOf({ api_key: token, batch }, batch.length),
    )
    batch = []
  }
  for (const event of referenceEvents(eventCount, seed)) {
    batch.push(event)
    if (batch.length === batchSize) finish()
  }
  if (batch.length > 0) finish()
  return bodies
}

const UUID_MEMBER = '"uuid":"'

function bodyOf(value: object, eventCount: number): Body {
  const bytes = Buffer.from(JSON.stringify(value))
  const uuidOffsets: number[] = []
  for (let at = bytes.indexOf(UUID_MEMBER); at !== -1; at = bytes.indexOf(UUID_MEMBER, at + 1)) {
    uuidOffsets.push(at + UUID_MEMBER.length)
  }
  return { bytes, eventCount, uuidOffsets }
}

const HEX_DIGITS = Buffer.from("0123456789abcdef")
const COUNTER_DIGITS = 8

/** Writes a counter into the first eight digits of each uuid; answers the next value of the counter. */
export function renewUuids({ bytes, uuidOffsets }: Body, counter: number): number {
  let value = counter
  for (const offset of uuidOffsets) {
    let left = value++
    for (let digit = COUNTER_DIGITS - 1; digit >= 0; digit--) {
      bytes[offset + digit] = HEX_DIGITS[left & 15] as number
      left >>>= 4
    }
  }
  return value
}
