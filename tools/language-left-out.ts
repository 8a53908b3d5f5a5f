/** What nobody should look for, and why. */
export const LEFT_OUT: readonly (readonly [names: string, reason: string])[] = [
  [
    "`uniqState`, `sumMerge`, `bitmap*`, `groupBitmap*`",
    "states of aggregates are not kept; counts are exact.",
  ],
  ["`hex`, `MD5`, `SHA256`, `sipHash*` and other hashes", "nothing here is found by a hash."],
  ["`geohash*`, `h3*`, `geoDistance`, `pointIn*`", "`greatCircleDistance` is all of geometry."],
  ["`ngramDistance`, `ngramSearch`, `multiFuzzyMatch*`", "engines do not agree on closeness."],
  [
    "`firstSignificantSubdomain`, `cutToFirstSignificantSubdomain`, `URLHierarchy`, `URLPathHierarchy`",
    "they need a list of public suffixes or are said by `splitByChar`.",
  ],
  ["`isValidUTF8`, `toValidUTF8`, `convertCharset`, `base58*`", "all texts are valid UTF-8."],
  ["`extractTextFromHTML`", "it is no parser of HTML; `replaceRegexpAll` takes tags out."],
  ["`toTime`, `timeSlots`, `tumble`, `hop`", "there is no type for them; use `toStartOf...`."],
  [
    "`toModifiedJulianDay`, `fromModifiedJulianDay`, `bar`, `erf`, `erfc`, `sparkline`",
    "no use for product analytics.",
  ],
  [
    "`JSONExtract(json, ..., type)`, `JSONExtractKey`",
    "the functions with a type in their name say it.",
  ],
  [
    "`arrayFill`, `arraySplit`, their reverses, `arrayAUC`, `arrayCumSumNonNegative`",
    "they are rare and slow; use windows.",
  ],
  [
    "`mapAdd`, `mapSubtract`, `mapApply`, `mapFilter`, `mapUpdate`, `sumMap`, `minMap`, `maxMap`",
    "use `ARRAY JOIN` and `GROUP BY`.",
  ],
  ["`untuple`, `L1Norm` and its kind, `cosineDistance`", "there are no vectors here."],
  [
    "`anyHeavy`, `groupArrayInsertAt`, `groupArrayMoving*`, `deltaSum*`, `maxIntersections`",
    "they depend on the order in which rows are read; use windows.",
  ],
  [
    "`skew*`, `kurt*`, `contingency`, `cramersV`, `theilsU`",
    "engines do not agree on them to the last digit.",
  ],
  [
    "`sleep`, `file`, `url`, `dictGet*`, `generateRandom` and the like",
    "a query reads the project's data alone.",
  ],
]
