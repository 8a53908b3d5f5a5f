/** One element of the page, as the events API shows it. The first is what was clicked, the next is around it. */
export interface Element {
  readonly text: string | null
  readonly tag_name: string | null
  readonly attr_class: readonly string[] | null
  readonly href: string | null
  readonly attr_id: string | null
  readonly nth_child: number | null
  readonly nth_of_type: number | null
  /** By their names in the chain, `attr__data-id` for `data-id`. */
  readonly attributes: Readonly<Record<string, string>>
  readonly order: number
}
