import { ASSOCIATION_DIMENSIONS, type Dimension, type DimensionName, DIMENSIONS } from "./dimensions.ts"

/** "Category" has "categories", "class" "classes". */
export const pluralize = (word: string): string =>
  /[^aeiou]y$/.test(word)
    ? word.replace(/y$/, "ies")
    : /(?:s|x|ch|sh)$/.test(word)
      ? `${word}es`
      : word
          .replace(/person$/, "people")
          .replace(/man$/, "men")
          .replace(/(?<!people|men)$/, "s")

/** The dimensions that questions name by a noun. */
export type WordedDimension = Exclude<
  DimensionName,
  | "analyzed"
  | "sentiment"
  | "close_date"
  | "created_at"
  | "updated_at"
  | "asked_at"
  | "stage_changed_at"
  | "entered_stage"
  | "left_stage"
>

/** Plurals of "type of deal" change its first word, or each of them. */
const pluralizeAll = (word: string): ReadonlyArray<string> => {
  const [head = "", rest] = word.split(/ of (?=.)/)
  return rest === undefined
    ? [pluralize(word)]
    : [`${pluralize(head)} of ${rest}`, `${pluralize(head)} of ${pluralize(rest)}`]
}

/** Every form that means the dimension in a question, the longest first. */
export const listForms = (dimension: DimensionName): ReadonlyArray<string> => {
  const { one, others } = ASSOCIATION_DIMENSIONS[dimension]
  return [one, ...others].flatMap((word) => [word, ...pluralizeAll(word)]).toSorted((a, b) => b.length - a.length)
}

/** The words that a parameter may use in place of the dimension's name. */
export const listSynonyms = (dimension: DimensionName): ReadonlyArray<string> => {
  const { loose } = ASSOCIATION_DIMENSIONS[dimension]
  return [...listForms(dimension), ...loose.flatMap((word) => [word, pluralize(word)])].filter(
    (word) => word !== dimension,
  )
}

/** The single words for a dimension, in the singular. */
export const singleWordsOf = (dimension: DimensionName): ReadonlyArray<string> => {
  const { one, others } = ASSOCIATION_DIMENSIONS[dimension]
  return [one, ...others].filter((word) => !word.includes(" "))
}

/** The dimension whose groups this filter selects. */
export const dimensionOfFilter = (filter: string): Dimension | undefined =>
  Object.values(DIMENSIONS.associations).find((each) => each.filter === filter)
