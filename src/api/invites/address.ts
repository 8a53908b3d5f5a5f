/** Domains have no case; what stands before them is the receiving server's own business. */
export function normalizeAddress(address: string): string {
  const at = address.lastIndexOf("@")
  return `${address.slice(0, at)}${address.slice(at).toLowerCase()}`
}
