/** The name of a dimension for people, in the singular and in lower case; the plurals follow. */
interface Words {
  /** As answers write it. */
  readonly one: string
  readonly many: string
  /** Other words that mean it in a question. */
  readonly others: ReadonlyArray<string>
  /** Words that mean it as a parameter, and too much else in a question. */
  readonly loose: ReadonlyArray<string>
}

/** "Category" has "categories", "class" "classes". */
export const pluralOf = (word: string): string =>
  /[^aeiou]y$/.test(word)
    ? word.replace(/y$/, "ies")
    : /(?:s|x|ch|sh)$/.test(word)
      ? `${word}es`
      : word
          .replace(/person$/, "people")
          .replace(/man$/, "men")
          .replace(/(?<!people|men)$/, "s")

const words = (one: string, others: ReadonlyArray<string> = [], loose: ReadonlyArray<string> = []): Words => ({
  one,
  many: pluralOf(one),
  others,
  loose,
})

/**
 * The one source of words for dimensions: suggestions for a parameter, the nouns of questions, the labels of answers and the synonyms
 * of the check of citations follow from it.
 */
export const DIMENSION_WORDS = {
  outcome: words("outcome", [], ["result"]),
  status: words("stage", ["status", "pipeline stage", "sales stage"]),
  owner: words(
    "owner",
    `account executive,account manager,account owner,deal owner,rep,sales rep,salesrep,ae,seller,salesperson,sales person,salesman,
    sales man,colleague,team member`.split(/,\s*/),
  ),
  collaborator: words("collaborator"),
  client: words("client", ["customer", "account", "logo", "company", "buyer", "prospect"]),
  industry: words("industry", ["sector", "vertical"]),
  region: words("region", ["territory", "geo", "geography"], ["market"]),
  deal_type: words("deal type", ["opportunity type", "type of deal", "type of opportunity"], ["type"]),
  product_label: words("product", ["product line"]),
  segment: words("segment"),
  competitor: words("competitor", ["rival", "vendor", "competition"]),
  primary_competitor: words("primary competitor", ["primary rival"], ["main competitor"]),
  incumbent: words("incumbent", [], ["existing vendor"]),
  driver: words("reason", ["driver", "factor", "cause"], ["why"]),
  driver_category: words("reason category", ["driver category", "category of reason", "category of driver"]),
  driver_effect: words("side of the reason", ["side of the driver"], ["side", "effect"]),
  feature: words("feature", ["capability", "functionality", "feature request"]),
  product: words("feature product"),
  product_area: words("product area", ["area"]),
  amount_band: words("amount band", ["amount bucket", "amount range", "band"], ["size"]),
  association_tag: words("tag"),
} as const satisfies Readonly<Record<string, Words>>

export type WordedDimension = keyof typeof DIMENSION_WORDS

/** Plurals of "type of deal" change its first word, or each of them. */
const pluralsOf = (word: string): ReadonlyArray<string> => {
  const [head = "", rest] = word.split(/ of (?=.)/)
  return rest === undefined
    ? [pluralOf(word)]
    : [`${pluralOf(head)} of ${rest}`, `${pluralOf(head)} of ${pluralOf(rest)}`]
}

/** Every form that means the dimension in a question, the longest first. */
export const formsOf = (dimension: WordedDimension): ReadonlyArray<string> => {
  const { one, others } = DIMENSION_WORDS[dimension]
  return [one, ...others].flatMap((word) => [word, ...pluralsOf(word)]).toSorted((a, b) => b.length - a.length)
}

/** The words that a parameter may use in place of the dimension's name. */
export const synonymsOf = (dimension: string): ReadonlyArray<string> => {
  if (!(dimension in DIMENSION_WORDS)) return []
  const loose = DIMENSION_WORDS[dimension as WordedDimension].loose
  return [...formsOf(dimension as WordedDimension), ...loose.flatMap((word) => [word, pluralOf(word)])].filter(
    (word) => word !== dimension,
  )
}

/** The single words for a dimension, in the singular. */
export const singleWordsOf = (dimension: WordedDimension): ReadonlyArray<string> => {
  const { one, others } = DIMENSION_WORDS[dimension]
  return [one, ...others].filter((word) => !word.includes(" "))
}
