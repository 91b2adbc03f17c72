import { isNumberProblem, readNumber } from "../../../records/values/numbers.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { isEmptyAt, type RecordShape } from "./recordShape.ts"

/** Labels of totals and averages, in the languages of the large CRMs. */
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?(?: (?:amount|value|revenue))?|sum|sums|summe|gesamt|gesamtsumme|gesamtergebnis|zwischensumme|ergebnis|total général|sous-total|somme|suma|total general|totale|subtotaal|totaal|average|durchschnitt|mittelwert|moyenne|promedio|media aritmetica|gemiddelde|sub-?total|(?:sum|count|avg|average|total) of \p{L}[\p{L} ]*)(?![\p{L}])[\s:]*(?:\(.*\)|\d[\d\s.,]*.*)?$/iu

/** Labels of the figures of a total, each in a row of its own. */
const FIGURE = /^(?:sum|avg|average|min|max|median|weighted|(?:record )?count|anzahl|nombre|recuento)$/i

/** Words for the rows of a report. */
export const COUNTED =
  "records|rows|deals|opportunities|verkaufschancen|opportunités|oportunidades|datensätze|zeilen|einträge|enregistrements|registros"
/** Labels that count the rows: `Count: 2`, `Total records: 2`, `2 records`. */
const COUNT = new RegExp(
  String.raw`^(?:(?:(?:grand )?total )?(?:(?:record |row )?count|(?:number of )?(?:${COUNTED})|anzahl|nombre|recuento)\s?[:=(]\s?\d[\d.,]*\)?|\d[\d.,]* (?:${COUNTED}|items|results|record|row|deal|opportunity))$`,
  "iu",
)

/** Labels that count some of the rows, if a row has nothing else: `Open deals: 2`, `2 open deals`. */
const COUNT_OF_SOME = new RegExp(
  String.raw`^(?:(?:\p{L}+ ){0,3}(?:${COUNTED})(?: in(?: the)? \p{L}+)?\s?[:=(]\s?\d[\d.,]*\)?|\d[\d.,]* (?:\p{L}+ ){0,2}(?:${COUNTED}))$`,
  "iu",
)
const MAX_LABEL = 60
/** The number behind a label without digits, and behind nothing else: `Pipeline: $300`. */
const numberBehindLabel = (text: string): string | undefined => {
  const at = text.search(/[:=]/)
  const [label, number] = [text.slice(0, at), text.slice(at + 1).trim()]
  const isLabelled = at > 0 && at <= MAX_LABEL && !/\d/.test(label) && /\d/.test(number) && !/[:=]/.test(number)
  return isLabelled ? number : undefined
}

/** Words of totals that names of deals hardly have. */
const WORD = String.raw`(?:(?:grand |sub[- ]?)?totals?|summe|(?:gesamt|zwischen)summe|gesamt|sous-total|subtotal|totale|(?:sub)?totaal|totalt|toplam|razem|suma|celkem|összesen|yhteensä|итого|всего|σύνολο)`
/** Labels that end or begin with such a word: `EMEA Total`, `Total won`, `小計`. */
const ENDS = new RegExp(String.raw`(?:(?<![\p{L}\p{N}])${WORD}|[合小总總]計|[合小总]计|Σ|∑|합계|소계)[\s:：]*$`, "iu")
const BEGINS = new RegExp(
  String.raw`^(?:(?:${WORD}|weighted|gewichtete?[rs]?|average|avg|durchschnittliche?[rs]?|moyenne|promedio)(?![\p{L}\p{N}])|[合小总總]計|[合小总]计|Σ|∑|합계|소계)`,
  "iu",
)
/** Cells that every record has and a label lacks which only begins so: a deal may be called "Total Gas renewal". */
const MIN_LACKING = 2
/** Fewer rows are no reason for a sum, unless a label says that it is one. */
const MIN_SUMMED = 2

export const isTotalLabel = (text: string): boolean => isShort(text) && (TOTAL.test(text) || COUNT.test(text))

/** In UTF-16 units. Longer texts are no labels, and the patterns of labels read a long one again and again. */
const MAX_LABEL_LENGTH = 200
const isShort = (text: string): boolean => text.length <= MAX_LABEL_LENGTH

/** Whether a label can be nothing else: a company may be called Total, but not "Grand Totals (2 records)". */
const isSureLabel = (text: string): boolean =>
  isShort(text) && (COUNT.test(text) || (TOTAL.test(text) && /[\d(:]|^(?:grand|sub)/i.test(text)))

/** A label without a number may be the name of a company, but hardly that of a deal. */
const mayBeLabel = (plan: ImportPlan, text: string): boolean => plan.type === "deal" || isSureLabel(text)

const CODE = /^[A-Z]{3}$/
/** An amount with the code of its currency. */
const AMOUNT = /^(?:[A-Z]{3} ?[\d\s.,'-]*\d|-?\d[\d\s.,']* ?[A-Z]{3})$/

interface Filled {
  readonly index: number
  readonly text: string
}

/**
 * Finds totals among the rows of a file: rows that have only a label and numbers, if the label says so, or if the amount is the sum of
 * those above and the row lacks cells that every record has. A row with an id, or one that has a stage, a client or a date beside its name,
 * is a deal whatever its amount.
 */
export const totalFinder = (plan: ImportPlan, shape: RecordShape) => {
  const money = plan.fields.find(({ kind }) => kind === "money")
  const amountAt = money?.cells[0]
  const cellsOf = (isOf: (field: ImportPlan["fields"][number]) => boolean) =>
    new Set(plan.fields.filter(isOf).flatMap(({ cells }) => cells))
  const texts = cellsOf(({ kind }) => kind !== "money" && kind !== "number")
  const dates = cellsOf(({ kind }) => kind === "day" || kind === "date")
  const ids = cellsOf(({ kind }) => kind === "id")
  const names = cellsOf(({ field }) => field === "name")
  /** The sums of all rows, of those since the last empty line, and of those since the last total. */
  const sums = { all: 0, block: 0, section: 0 }
  const counts = { all: 0, block: 0, section: 0 }
  const scopes = ["all", "block", "section"] as const
  let isAfterTotal = false

  const readAmount = (row: TableRow): number | undefined => {
    const cell = amountAt === undefined ? undefined : row.cells[amountAt]
    if (cell === undefined) return undefined
    if (typeof cell === "object") return typeof cell.value === "number" ? cell.value : undefined
    if (cell.trim() === "") return undefined
    const read = readNumber(cell.trim(), { mark: money?.mark, isMoney: true })
    return isNumberProblem(read) ? undefined : read.value
  }

  /** Whether an amount is the sum of at least so many rows. A sum of nothing proves nothing. */
  const isSum = (amount: number | undefined, min: number): boolean =>
    scopes.some(
      (scope) =>
        amount !== undefined &&
        counts[scope] >= min &&
        Math.abs(sums[scope]) >= 0.005 &&
        Math.abs(amount - sums[scope]) <= Math.max(0.005, Math.abs(sums[scope]) * 1e-9),
    )

  /** Whether the only cell of a row counts rows, or has their sum. */
  const isLoneTotal = (text: string): boolean => {
    const number = numberBehindLabel(text)
    const read = number === undefined ? undefined : readNumber(number, { mark: money?.mark, isMoney: true })
    return COUNT_OF_SOME.test(text) || (read !== undefined && !isNumberProblem(read) && isSum(read.value, MIN_SUMMED))
  }

  const isNamed = (row: TableRow): boolean => [...names].some((cell) => !isEmptyAt(row, cell))

  /** Finds a row of numbers and at most one label. A row without a name may have dates: no deal can be made of it. */
  const findSum = (row: TableRow, filled: ReadonlyArray<Filled>, words: ReadonlyArray<Filled>) => {
    if (plan.type !== "deal" || shape.isWhole(row) || [...ids].some((cell) => !isEmptyAt(row, cell))) return undefined
    const counted = filled.filter(({ index }) => shape.isNumberBelowWords(row, index)).length
    const begins = BEGINS.test(words[0]?.text ?? "") && shape.countLacking(row) + counted >= MIN_LACKING
    // A total may have the day on which it was made.
    const isCounted = ({ index }: Filled) => (isNamed(row) && !begins) || !dates.has(index)
    const labels = filled.filter(
      (each) =>
        isCounted(each) &&
        (words.includes(each) || (texts.has(each.index) && !shape.isNumberBelowWords(row, each.index))),
    )
    if (labels.length > 1) return undefined
    const label = labels[0]?.text ?? ""
    const isWorded = ENDS.test(label) || begins
    if (isSum(readAmount(row), isWorded || !isNamed(row) ? 1 : MIN_SUMMED)) return "sum"
    const isDated = isNamed(row) && filled.some(({ index }) => dates.has(index))
    return isWorded && !isDated && filled.length > 1 ? "label" : undefined
  }

  /** A deal may be called Max, but it has more than its name and a number. */
  const isBare = (row: TableRow): boolean => plan.type === "deal" && shape.countLacking(row) >= MIN_LACKING

  const find = (row: TableRow, isLone: boolean): "label" | "sum" | undefined => {
    const { cells, uncalculated = [] } = row
    const filled = cells.flatMap((cell, index) => {
      const text = textOf(cell).trim()
      return text === "" ? [] : [{ index, text }]
    })
    // The currency of a total is no label.
    const words = filled.filter(({ text }) => /[\p{L}Σ∑]/u.test(text) && !CODE.test(text) && !AMOUNT.test(text))
    const [label, ...others] = words
    const isSure = label !== undefined && isSureLabel(label.text)
    const isFigure = ({ index, text }: Filled) =>
      isTotalLabel(text) || FIGURE.test(text) || (isSure && !texts.has(index))
    const isTotal =
      label !== undefined &&
      (isTotalLabel(label.text) || (FIGURE.test(label.text) && (isAfterTotal || isBare(row)))) &&
      others.every(isFigure) &&
      (filled.length + uncalculated.length > 1 || (isLone && mayBeLabel(plan, label.text))) &&
      [...filled, ...uncalculated].every(
        ({ index }) =>
          words.some((word) => word.index === index) || !texts.has(index) || shape.isNumberBelowWords(row, index),
      )
    if (isTotal || (isLone && plan.type === "deal" && label !== undefined && isLoneTotal(label.text))) return "label"
    return findSum(row, filled, words)
  }

  return {
    /** Returns what shows that a row is a total, its label or its sum, or undefined if it is a record. */
    find: (row: TableRow, isLone: boolean): "label" | "sum" | undefined => {
      const found = plan.exported === undefined && row.problem === undefined ? find(row, isLone) : undefined
      isAfterTotal = found !== undefined
      if (found !== undefined) [sums.section, counts.section] = [0, 0]
      return found
    },
    /** Adds the amount of a record. */
    meet: (row: TableRow): void => {
      const amount = readAmount(row)
      if (amount === undefined) return
      for (const scope of scopes) {
        sums[scope] += amount
        counts[scope]++
      }
    },
    endBlock: (): void => {
      ;[sums.block, counts.block] = [0, 0]
    },
  }
}
