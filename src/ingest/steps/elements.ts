/** What was clicked: a list or a text among the properties becomes the event's chain. */
import { elementsChain } from "../../elements/chain.ts"
import { toStorable } from "../../lib/text.ts"
import type { DropReason } from "../drop-reasons.ts"
import type { Draft } from "./draft.ts"

export function chainElements(draft: Draft): DropReason | undefined {
  const { properties } = draft
  const { $elements, $elements_chain } = properties
  if ($elements === undefined && $elements_chain === undefined) return undefined
  if (typeof $elements_chain === "string" && $elements_chain !== "") {
    draft.elements_chain = toStorable($elements_chain)
  } else if (Array.isArray($elements)) draft.elements_chain = toStorable(elementsChain($elements))
  delete properties.$elements
  delete properties.$elements_chain
  return undefined
}
