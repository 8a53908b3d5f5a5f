/** JSON text. What is no JSON has no parts: every answer about it is null. */
import type { Primitive } from "./entry.ts"

export const JSON_TEXTS = {
  isJson: { args: 1, meaning: "whether the text is JSON" },
  jsonAt: {
    args: "any",
    meaning:
      "the JSON text of the value at a path: texts are keys of objects, whole numbers places of arrays from 1, " +
      "negative ones from the end; null if there is nothing; null in JSON is the text null",
  },
  jsonType: { args: 1, meaning: "object, array, string, number, boolean or null" },
  jsonString: { args: 1, meaning: "the text of a JSON string; null for other values" },
  jsonLength: { args: 1, meaning: "how many items or keys; null for what is no array or object" },
  jsonKeys: { args: 1, meaning: "the keys of an object, in its order; of other values none" },
  jsonItems: { args: 1, meaning: "the JSON texts of an array's items; of other values none" },
} as const satisfies Record<string, Primitive>
