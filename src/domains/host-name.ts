/**
 * The rule for the `domain` field: a lower-case host with at least one dot, labels of letters and digits with
 * single hyphens inside, and a top level of two letters or more. Two consequences, both on purpose: an encoded
 * international name (`xn--…`) has a double hyphen and is refused, and the only length that counts is the whole
 * (a label over 63 is accepted as text, and then no DNS answer can ever verify it).
 */
const MAX_HOST_NAME_CHARS = 128

const HOST_NAME = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/

export function isHostName(text: string): boolean {
  return text.length <= MAX_HOST_NAME_CHARS && HOST_NAME.test(text)
}
