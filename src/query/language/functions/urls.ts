/** Parts of URLs. What a URL does not have is empty. */
import { call, eq, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import { choose, constantText, from, letBe, NULL, refuse, to } from "./lowering.ts"

const SCHEME = "[A-Za-z][A-Za-z0-9+.-]*"
/** Up to the name of the host, with a name and password perhaps. */
const BEFORE_HOST = `^(?:${SCHEME}:)?//(?:[^/?#@]*@)?`
const HOST = "([^/?#:@]*)"

const URL = "https://ann@www.example.co.uk:8080/a/b.html?x=1&y=2#top"

const taken = (pattern: string) => (url: Expr) =>
  call("extractMatch", url, text(pattern), number(1))

const part = (pattern: string, meaning: string, example: Definition["example"]): Definition => ({
  signature: "(text) -> text",
  meaning,
  ...(example === undefined ? {} : { example }),
  lower: from((url = NULL) => taken(pattern)(url)),
})

const cut = (pattern: string, meaning: string, example: Definition["example"]): Definition => ({
  signature: "(text) -> text",
  meaning,
  ...(example === undefined ? {} : { example }),
  lower: from((url = NULL) => call("replacePatternFirst", url, text(pattern), text("\\1"))),
})

const domain = taken(`${BEFORE_HOST}${HOST}`)

const withoutWww = (host: Expr): Expr =>
  call("replacePatternFirst", host, text("^www\\."), text(""))

const escaped = (name: string): string => name.replaceAll(/[\\^$.[\]|()?*+{}-]/g, "\\$&")

/** The name must be known while compiling: it becomes part of a pattern. */
function parameterName(expr: Expr): string {
  const name = constantText(expr)
  return name === undefined
    ? refuse("The name of the parameter must be a constant text.")
    : escaped(name)
}

const port = from((url = NULL) =>
  letBe(taken(`${BEFORE_HOST}[^/?#:@]*:([0-9]+)`)(url), "port", (digits) =>
    choose(eq(digits, text("")), number(0), call("parseInteger", digits)),
  ),
)

const PATH = `^(?:(?:${SCHEME}:)?//[^/?#]*)?(/[^?#]*)`

const decode: Definition = {
  signature: "(text) -> text?",
  meaning: "Percent-decoded; what is no code stays as it is.",
  example: ["decodeURLComponent('a%20b')", "a b"],
  lower: to("urlDecode"),
}

export const URLS = defineGroup(
  { group: "URLs", kind: "scalar" },
  {
    protocol: part(`^(${SCHEME}):`, "The scheme.", [`protocol('${URL}')`, "https"]),
    domain: part(`${BEFORE_HOST}${HOST}`, "The host.", [`domain('${URL}')`, "www.example.co.uk"]),
    domainWithoutWWW: {
      signature: "(text) -> text",
      meaning: "The host without www. before it.",
      example: [`domainWithoutWWW('${URL}')`, "example.co.uk"],
      lower: from((url = NULL) => withoutWww(domain(url))),
    },
    topLevelDomain: part(
      `${BEFORE_HOST}[^/?#:@]*\\.([^/?#:@.]+)`,
      "What follows the last dot of the host.",
      [`topLevelDomain('${URL}')`, "uk"],
    ),
    netloc: part(`^(?:${SCHEME}:)?//([^/?#]*)`, "User, host and port.", [
      `netloc('${URL}')`,
      "ann@www.example.co.uk:8080",
    ]),
    port: {
      signature: "(text) -> integer",
      meaning: "The port; 0 if none is written.",
      example: [`port('${URL}')`, 8080],
      lower: port,
    },
    path: part(PATH, "The path.", [`path('${URL}')`, "/a/b.html"]),
    pathFull: part(`^(?:(?:${SCHEME}:)?//[^/?#]*)?(/.*)`, "Path, query and fragment.", [
      `pathFull('${URL}')`,
      "/a/b.html?x=1&y=2#top",
    ]),
    queryString: part("\\?([^#]*)", "The query without its question mark.", [
      `queryString('${URL}')`,
      "x=1&y=2",
    ]),
    fragment: part("#(.*)", "What follows the number sign.", [`fragment('${URL}')`, "top"]),
    queryStringAndFragment: part("\\?(.*)", "Query and fragment.", [
      `queryStringAndFragment('${URL}')`,
      "x=1&y=2#top",
    ]),
    extractURLParameter: {
      signature: "(text, text) -> text",
      meaning: "The value of a parameter of the query (constant name), as it is written.",
      example: [`extractURLParameter('${URL}', 'y')`, "2"],
      lower: from((url = NULL, name = NULL) => taken(`[?&]${parameterName(name)}=([^&#]*)`)(url)),
    },
    extractURLParameters: {
      signature: "(text) -> array(text)",
      meaning: "The parameters of the query, each as name=value.",
      example: [`extractURLParameters('${URL}')`, ["x=1", "y=2"]],
      lower: from((url = NULL) =>
        call("extractMatches", url, text("[?&]([^&#=?]+=[^&#]*)"), number(1)),
      ),
    },
    extractURLParameterNames: {
      signature: "(text) -> array(text)",
      meaning: "The names of the parameters of the query.",
      example: [`extractURLParameterNames('${URL}')`, ["x", "y"]],
      lower: from((url = NULL) =>
        call("extractMatches", url, text("[?&]([^&#=?]+)=[^&#]*"), number(1)),
      ),
    },
    cutWWW: cut(`${BEFORE_HOST.replace("^", "^(")})www\\.`, "Without www. before the host.", [
      "cutWWW('https://www.example.com/')",
      "https://example.com/",
    ]),
    cutQueryString: cut("\\?[^#]*()", "Without the query.", [
      "cutQueryString('https://example.com/a?x=1#top')",
      "https://example.com/a#top",
    ]),
    cutFragment: cut("#.*()", "Without the fragment.", [
      "cutFragment('https://example.com/a#top')",
      "https://example.com/a",
    ]),
    cutQueryStringAndFragment: cut("[?#].*()", "Without query and fragment.", [
      "cutQueryStringAndFragment('https://example.com/a?x=1#top')",
      "https://example.com/a",
    ]),
    cutURLParameter: {
      signature: "(text, text) -> text",
      meaning: "Without a parameter of the query (constant name).",
      example: ["cutURLParameter('https://example.com/?x=1&y=2', 'x')", "https://example.com/?y=2"],
      lower: from((url = NULL, name = NULL) => {
        const pattern = parameterName(name)
        const first = call(
          "replacePatternFirst",
          url,
          text(`\\?${pattern}=[^&#]*(?:&|(#)|$)`),
          text("?\\1"),
        )
        const others = call("replacePattern", first, text(`&${pattern}=[^&#]*`), text(""))
        return call("replacePatternFirst", others, text("\\?(#|$)"), text("\\1"))
      }),
    },
    encodeURLComponent: {
      signature: "(text) -> text",
      meaning: "Percent-encoded but for letters, digits and -_.~",
      example: ["encodeURLComponent('a b')", "a%20b"],
      lower: to("urlEncode"),
    },
    decodeURLComponent: decode,
    encodeURLFormComponent: {
      signature: "(text) -> text",
      meaning: "Like encodeURLComponent, spaces as +.",
      example: ["encodeURLFormComponent('a b')", "a+b"],
      lower: from((value = NULL) =>
        call("replaceAll", call("urlEncode", value), text("%20"), text("+")),
      ),
    },
    decodeURLFormComponent: {
      signature: "(text) -> text?",
      meaning: "Like decodeURLComponent, + as spaces.",
      example: ["decodeURLFormComponent('a+b')", "a b"],
      lower: from((value = NULL) =>
        call("urlDecode", call("replaceAll", value, text("+"), text(" "))),
      ),
    },
  },
)
