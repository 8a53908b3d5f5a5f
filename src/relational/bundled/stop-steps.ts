/** How a server is stopped: in order, then at once (it recovers at its next start), then by force. */
const STEPS = [
  // Open transactions are rolled back and a checkpoint is written: ample for the few buffers there are.
  { signal: "SIGINT", waitMs: 20_000 },
  { signal: "SIGQUIT", waitMs: 10_000 },
  { signal: "SIGKILL", waitMs: 5_000 },
] as const

/** True as soon as it has ended; false when even force did not help. */
export async function stopInSteps(
  send: (signal: NodeJS.Signals) => void,
  isGoneWithin: (waitMs: number) => Promise<boolean>,
): Promise<boolean> {
  for (const { signal, waitMs } of STEPS) {
    send(signal)
    if (await isGoneWithin(waitMs)) return true
  }
  return false
}
