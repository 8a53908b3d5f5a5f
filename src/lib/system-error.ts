/** The operating system's name for what went wrong ("ENOENT"), when the error has one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined
  return typeof error.code === "string" ? error.code : undefined
}

/** Whether it is this one: `isErrno(error, "ENOENT")`. */
export function isErrno(error: unknown, code: string): boolean {
  return systemCode(error) === code
}
