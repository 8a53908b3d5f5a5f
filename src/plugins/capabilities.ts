export interface Capabilities {
  readonly methods: readonly string[]
  readonly jobs: readonly string[]
  readonly scheduled_tasks: readonly string[]
}
