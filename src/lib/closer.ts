/** What was opened, closed in reverse order; one failure does not keep the rest open. */
export class Closer implements AsyncDisposable {
  readonly #steps: (() => Promise<unknown> | unknown)[] = []

  add(step: () => Promise<unknown> | unknown): void {
    this.#steps.push(step)
  }

  /** Registers a resource and hands it on. */
  use<T extends AsyncDisposable>(resource: T): T {
    this.add(() => resource[Symbol.asyncDispose]())
    return resource
  }

  async close(): Promise<void> {
    const errors: unknown[] = []
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length === 1) throw errors[0]
    if (errors.length > 1) throw new AggregateError(errors, "several parts could not be closed")
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
