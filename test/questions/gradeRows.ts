import type { Row, Verdict } from "./grade.ts"
import { isNumber, numbersIn } from "./numbers.ts"
import type { Language } from "./question.ts"
import { contains, placeOf, type Read } from "./reading.ts"

/** An answer, and what the grader knows of it. */
export interface Compared {
  readonly read: Read
  readonly language: Language
  readonly refused: boolean
}

/** A reader sees no more rows of an answer. */
const MAX_ROWS = 10

type Match = "same" | "other" | "absent"

const namesOf = (row: Row): ReadonlyArray<string> => String(row["name"]).split("|")

/** Columns that a right answer shows: `hidden…` only orders a ranking. */
const shownColumns = (row: Row) =>
  Object.entries(row).filter(([column, value]) => column !== "name" && !column.startsWith("hidden") && value !== null)

/** How many of a row's values a text shows, and whether it shows numbers at all. */
const valuesIn = (row: Row, text: string, language: Language) => {
  const numbers = numbersIn(text, language)
  const columns = shownColumns(row)
  const same = columns.filter(([column, value]) =>
    typeof value === "number"
      ? numbers.some((shown) => isNumber(shown, value, column))
      : contains(text, String(value).split("|")),
  ).length
  return { same, of: columns.length, hasNumbers: numbers.length > 0 }
}

const matchOf = (row: Row, text: string, language: Language): Match => {
  const { same, of, hasNumbers } = valuesIn(row, text, language)
  if (same === of) return "same"
  return hasNumbers && shownColumns(row).some(([, value]) => typeof value === "number") ? "other" : "absent"
}

/** The longest of the alternatives that a text contains decides which of several texts is meant. */
const nameLength = (text: string, row: Row) =>
  Math.max(0, ...namesOf(row).map((name) => (placeOf(text, [name]) === -1 ? 0 : name.length)))

/** Cuts sentences at the names in them, so that each name has the words behind it, or those before it. */
const segments = (text: string, rows: ReadonlyArray<Row>, isBefore: boolean): ReadonlyMap<Row, string> => {
  const found = rows
    .map((row) => ({ row, at: placeOf(text, namesOf(row)), length: nameLength(text, row) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at)
  return new Map(
    found.map(({ row, at, length }, n) => {
      const previous = found[n - 1]
      return [
        row,
        isBefore
          ? text.slice(previous === undefined ? 0 : previous.at + previous.length, at)
          : text.slice(at + length, found[n + 1]?.at),
      ]
    }),
  )
}

const matchInSentences = (rows: ReadonlyArray<Row>, { read, language }: Compared) => {
  const behind = segments(read.headline, rows, false)
  const before = segments(read.headline, rows, true)
  const matches = (texts: ReadonlyMap<Row, string>) =>
    new Map([...texts].map(([row, text]) => [row, matchOf(row, text, language)] as const))
  const [one, other] = [matches(behind), matches(before)]
  const same = (all: ReadonlyMap<Row, Match>) => [...all.values()].filter((match) => match === "same").length
  return same(other) > same(one) ? other : one
}

/** The rows of the truth with what the answer says about each. */
const matches = (rows: ReadonlyArray<Row>, compared: Compared): ReadonlyArray<Match> => {
  const { read, language } = compared
  const sentences = matchInSentences(rows, compared)
  return rows.map((row) => {
    const named = read.rows.filter((text) => nameLength(text, row) > 0)
    if (named.some((text) => matchOf(row, text, language) === "same")) return "same"
    const said = sentences.get(row) ?? "absent"
    if (said === "same") return "same"
    return named.some((text) => matchOf(row, text, language) === "other") || said === "other" ? "other" : "absent"
  })
}

/** Every row with its numbers, or as many as a reader sees. Without names: every number in the headline, or in a single row. */
export const gradeRows = (rows: ReadonlyArray<Row>, compared: Compared): Verdict => {
  const labelled = rows.filter((row) => row["name"] !== null)
  if (labelled.length === 0) return "wrong"
  if (labelled[0]!["name"] === undefined) return gradeNumbers(labelled[0]!, compared)
  if (compared.refused) return "refused"
  const found = matches(labelled, compared)
  const same = found.filter((match) => match === "same").length
  if (found.includes("other")) return "wrong"
  if (same >= Math.min(labelled.length, MAX_ROWS)) return "right"
  return same > 0 ? "partly" : "wrong"
}

const gradeNumbers = (row: Row, { read, language, refused }: Compared): Verdict => {
  const text = [read.headline, ...(read.rows.length === 1 || read.headline === "" ? read.rows.slice(0, 1) : [])].join(
    "\n",
  )
  const { same, of } = valuesIn(row, text, language)
  if (refused) return "refused"
  if (same === of) return "right"
  return same > 0 ? "partly" : "wrong"
}

/** The values of a row, wherever the answer shows them. */
export const gradeAnywhere = ([row]: ReadonlyArray<Row>, { read, language, refused }: Compared): Verdict => {
  if (row === undefined) return "wrong"
  if (refused) return "refused"
  const { same, of } = valuesIn(row, read.text, language)
  if (same === of) return "right"
  return same > 0 ? "partly" : "wrong"
}

const keyOf = (row: Row) => JSON.stringify(Object.entries(row).filter(([column]) => column !== "name"))

/** The first rows of the answer, or the first names in its sentences, are the first of the truth, in its order. */
export const gradeRanking = (rows: ReadonlyArray<Row>, wanted: number, compared: Compared): Verdict => {
  const { read, language, refused } = compared
  if (refused) return "refused"
  const first = Math.min(wanted, rows.length, MAX_ROWS)
  const isListed = read.rows.some((text) => rows.some((row) => nameLength(text, row) > 0))
  const sentences = matchInSentences(rows, compared)
  const places =
    isListed && (read.rows.length >= first || first > 1) ? rankRows(rows, read.rows, language) : [...sentences]
  const said = places.slice(0, first)
  const isRight = said.map(([row, match], n) => row !== undefined && match === "same" && keyOf(row) === keyOf(rows[n]!))
  if (said.length === 0 || isRight[0] === false) return "wrong"
  if (isRight.includes(false)) return "wrong"
  return said.length === first ? "right" : "partly"
}

/** For each row of the answer the row of the truth that it names; of several with one name, the one with its numbers. */
const rankRows = (rows: ReadonlyArray<Row>, texts: ReadonlyArray<string>, language: Language) =>
  texts.map((text): readonly [Row | undefined, Match] => {
    const named = rows.filter((row) => nameLength(text, row) > 0)
    const same = named.find((row) => matchOf(row, text, language) === "same")
    return same === undefined ? [named[0], "other"] : [same, "same"]
  })
