import { takeAmount, takeScores } from "../questions/words/amounts.ts"
import { takeComparison } from "../questions/parse/comparisons.ts"
import { takeConditions } from "../questions/parse/conditions.ts"
import { takeNames } from "../questions/names/foundNames.ts"
import { takeMetrics } from "../questions/parse/metricNames.ts"
import type { WorkspaceNames } from "../questions/words/names.ts"
import { takePeriods, type Today } from "../questions/words/periods.ts"
import { takeProperties } from "../questions/words/properties.ts"
import { QuestionReader, toLowerCase } from "../QuestionReader.ts"
import { NUMBER_WORDS } from "../words.ts"

interface Span {
  readonly start: number
  readonly end: number
  readonly token: string
}

const WORDS = /<[\w:]+>|\p{L}[\p{L}\p{M}]*|\p{N}+|[€$£#%Δ?+,.:/&-]/gu

export interface Tokens {
  readonly words: ReadonlyArray<string>
  /** The numbers that no name, period, amount or condition has, in digits or in words from two on. */
  readonly numbers: ReadonlyArray<number>
}

/**
 * The words of a question in lower case. Names, properties, periods, amounts and conditions stand as their kind in angle
 * brackets, so that what is learned holds for any workspace.
 */
export const tokenize = (question: string, names: WorkspaceNames, today: Today): Tokens => {
  const reader = new QuestionReader(question)
  const spans: Array<Span> = []
  const mark = <A>(take: () => A, tokenOf: (taken: A) => string | undefined): A => {
    const before = reader.text
    const taken = take()
    const token = tokenOf(taken)
    if (token !== undefined) spans.push(...changedSpans(before, reader.text, token))
    return taken
  }
  mark(
    () => takeProperties(reader, names.properties),
    () => "<property>",
  )
  for (const { kind, start, end } of takeNames(reader, names)) spans.push({ start, end, token: `<${kind}>` })
  mark(
    () => takeConditions(reader, today),
    ({ having, filters }) => `<${having === undefined ? (Object.keys(filters)[0] ?? "condition") : "having"}>`,
  )
  mark(
    () => takeScores(reader),
    () => "<score>",
  )
  mark(
    () => takeComparison(reader, today),
    (found) => `<${found?.compare}>`,
  )
  mark(
    () => takePeriods(reader, today),
    () => "<period>",
  )
  mark(
    () => takeAmount(reader),
    (range) => (range?.min === undefined ? "<below>" : range.max === undefined ? "<above>" : "<between>"),
  )
  mark(
    () => takeMetrics(reader, names),
    () => "<metric>",
  )
  const words = [...replace(toLowerCase(reader.original), spans).matchAll(WORDS)].map(([word]) => word)
  return {
    words: words.map((word) => (isNumber(word) ? "<number>" : word)),
    numbers: words.flatMap((word) => {
      const number = isNumber(word) ? Number(word) : NUMBER_WORDS.indexOf(word)
      return number > 1 || isNumber(word) ? [number] : []
    }),
  }
}

const isNumber = (word: string) => /^\p{N}/u.test(word)

const changedSpans = (before: string, after: string, token: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (let start = 0; start < before.length; start++) {
    if (before[start] === after[start]) continue
    let end = start + 1
    while (end < before.length && before[end] !== after[end]) end++
    spans.push({ start, end, token })
    start = end
  }
  return spans
}

const replace = (text: string, spans: ReadonlyArray<Span>): string => {
  let replaced = ""
  let at = 0
  for (const { start, end, token } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    replaced += `${text.slice(at, start)} ${token} `
    at = end
  }
  return replaced + text.slice(at)
}
