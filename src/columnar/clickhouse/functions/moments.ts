/** Written dates as people and SDKs send them, each told by its shape, as UTC moments. */

export function printMoment(text: string, zone: string): string {
  return `toDateTime64OrNull(concat(${text}, ${zone}), 6, 'UTC')`
}
