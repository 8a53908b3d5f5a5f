import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { elementsChain } from "./chain.ts"
import { parseElementsChain } from "./parse-chain.ts"

const click = [
  {
    ...{ tag_name: "a", $el_text: 'Say "hi"', attr__class: "small  link", attr__href: "/a;b" },
    ...{ nth_child: 1, nth_of_type: 2, "attr__data-id": "7", attr__id: "go" },
  },
  { tag_name: "div", attr__class: ["md:flex"] },
]
const chain =
  'a.link.small:attr__class="small  link"attr__data-id="7"attr__href="/a;b"attr__id="go"attr_id="go"' +
  'href="/a;b"nth-child="1"nth-of-type="2"text="Say \\"hi\\"";' +
  'div.md:flex:attr__class="["md:flex"]"nth-child="0"nth-of-type="0"'.replace(
    '["md:flex"]',
    '[\\"md:flex\\"]',
  )

describe("an elements chain", () => {
  test("is made of the elements, innermost first, with sorted classes and attributes", () => {
    expect(elementsChain(click)).toBe(chain)
  })

  test("is read back as elements", () => {
    expect(parseElementsChain(chain)).toEqual([
      {
        ...{ text: 'Say "hi"', tag_name: "a", attr_class: ["link", "small"], href: "/a;b" },
        ...{ attr_id: "go", nth_child: 1, nth_of_type: 2, order: 0 },
        attributes: {
          ...{
            attr__class: "small  link",
            "attr__data-id": "7",
            attr__href: "/a;b",
            attr__id: "go",
          },
        },
      },
      {
        ...{ text: null, tag_name: "div", attr_class: ["md:flex"], href: null, attr_id: null },
        ...{ nth_child: 0, nth_of_type: 0, order: 1, attributes: { attr__class: '["md:flex"]' } },
      },
    ])
  })

  test("of nothing is empty", () => {
    expect(elementsChain([])).toBe("")
    expect(elementsChain(["no element", null])).toBe("")
    expect(parseElementsChain("")).toEqual([])
  })

  test("may begin with any attribute", () => {
    const [svg, button] = parseElementsChain('svg:attr__xlink:href="#x";button.btn:data-id="1"')
    expect(svg).toMatchObject({ tag_name: "svg", attributes: { "attr__xlink:href": "#x" } })
    expect(button).toMatchObject({ attr_class: ["btn"], attributes: { "data-id": "1" } })
  })

  test("of a bare tag has no attributes", () => {
    expect(parseElementsChain("div:;span")).toMatchObject([
      { tag_name: "div", attributes: {} },
      { tag_name: "span", attributes: {} },
    ])
  })

  test("keeps any text, backslashes and quotes included", () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
      fc.stringMatching(/^[\\";:=a]+$/),
    )
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        const elements = texts.map((one) => ({ tag_name: "p", $el_text: one, attr__title: one }))
        const read = parseElementsChain(elementsChain(elements))
        expect(read.map((one) => one.text)).toEqual(texts)
        expect(read.map((one) => one.attributes.attr__title)).toEqual(texts)
      }),
    )
  })

  test("is read in linear time, whatever it holds", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseElementsChain(text)))
    expect(parseElementsChain(`a:text="${"\\".repeat(200_000)}`)).toHaveLength(1)
    expect(parseElementsChain(`a:text="${"\\".repeat(200_000)}x"`)).toHaveLength(1)
    expect(parseElementsChain(":".repeat(200_000))).toHaveLength(1)
  })
})
