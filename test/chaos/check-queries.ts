/** That queries by person and by property say the same as the plain lists. */
import type { Instance } from "../support/instance.ts"
import type { Found } from "./check.ts"
import { groupBy } from "./group-by.ts"
import { type FoundPerson, readEvents, readPersonsWith } from "./reading.ts"

const COUNTED_PERSONS_MAX = 60
const FILTERED_VALUES = [0, 1, 2, 3, 4]

/** Events of a person are the events of its ids, also of those that came by a merge. */
export async function checkCounts(instance: Instance, { events, persons }: Found) {
  const violations: string[] = []
  const step = Math.max(1, Math.floor(persons.length / COUNTED_PERSONS_MAX))
  const some = persons.filter((_, index) => index % step === 0)
  const byId = groupBy(events, (event) => event.distinct_id)
  for (const { uuid, distinct_ids } of some) {
    const expected = distinct_ids.flatMap((id) => byId.get(id) ?? []).map(({ id }) => id)
    const found = (await readEvents(instance, `&person_id=${uuid}`)).map(({ id }) => id)
    if (found.toSorted().join() !== expected.toSorted().join()) {
      violations.push(
        `person ${uuid} has ${found.length} events, its ids ${distinct_ids.join(", ")} have ${expected.length}`,
      )
    }
  }
  return violations
}

/** The columnar copies, which filters read, beside the persons as they are shown. */
export async function checkFilters(instance: Instance, persons: readonly FoundPerson[]) {
  const violations: string[] = []
  for (const value of FILTERED_VALUES) {
    const expected = persons.filter(({ properties }) => properties.x === value)
    const found = await readPersonsWith(instance, "x", value)
    const [left, right] = [expected, found].map((list) => list.map(({ uuid }) => uuid).toSorted())
    if (left?.join() !== right?.join()) {
      violations.push(`x = ${value}: ${found.length} persons found, ${expected.length} have it`)
    }
  }
  return violations
}
