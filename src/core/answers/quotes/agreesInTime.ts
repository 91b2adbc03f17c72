import type { Quote } from "../citations/References.ts"
import { labelRows } from "../../search/rows.ts"
import { QuestionReader } from "../QuestionReader.ts"
import type { Subject } from "../subjects/subject.ts"
import { type Period, takePeriods } from "../questions/words/periods.ts"

const MONTHS = "january february march april may june july august september october november december".split(" ")
const UNIT = "(?:week|month|quarter|half|year)"
/** Phrases that say when. "A 30-day trial" and "within 90 days" are terms of a contract. */
const WHEN = new RegExp(
  String.raw`(?<!\p{L})(?:(?:last|this|next|previous|past|current|coming) (?:fiscal |calendar )?${UNIT}|yesterday|today|(?:in|since|before|after|during|until|by|from) (?:${MONTHS.join("|")})|q[1-4]|20\d\d)(?!\p{L})`,
  "iu",
)
const DATE = new RegExp(
  String.raw`(?<!\p{L})(?:(?<iso>20\d\d-\d\d-\d\d)|(?:(?<month>${MONTHS.join("|")}) (?:\d{1,2},? )?|q(?<quarter>[1-4]) )?(?<year>20\d\d))(?!\d)`,
  "giu",
)

const lastDay = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
const monthsOf = (year: number, first: number, count: number) => ({
  from: `${year}-${String(first).padStart(2, "0")}-01`,
  to: lastDay(year, first + count - 1),
})

/** The days, months, quarters and years that a sentence names. */
const listDates = (sentence: string): ReadonlyArray<{ readonly from: string; readonly to: string }> =>
  [...sentence.matchAll(DATE)].map(({ groups = {} }) => {
    const { iso, month, quarter, year = "" } = groups
    if (iso !== undefined) return { from: iso, to: iso }
    if (month !== undefined) return monthsOf(Number(year), MONTHS.indexOf(month.toLowerCase()) + 1, 1)
    return quarter === undefined ? monthsOf(Number(year), 1, 12) : monthsOf(Number(year), Number(quarter) * 3 - 2, 3)
  })

const overlaps = ({ from = "", to = "9999" }: Period, other: { readonly from: string; readonly to: string }) =>
  from <= other.to && other.from <= to

const NO_TIME = () => true

/** The words of a question that say when. */
export const findTime = (question: string): string | undefined => WHEN.exec(question)?.[0]

/**
 * Whether a quote can answer a question that says when: a date in it lies in that time. Without a date, and without one above it, it holds since its document was added.
 * Years are those of the calendar: a text of another company knows no other.
 */
export const agreesInTime = (question: string, now: Date): ((quote: Quote) => boolean) => {
  if (!WHEN.test(question)) return NO_TIME
  const periods = takePeriods(new QuestionReader(question), { now, fiscalStart: 1 })
  if (periods.length === 0) return NO_TIME
  const to = now.toISOString().slice(0, 10)
  const said = WHEN.exec(question)?.[0].toLowerCase() ?? ""
  return ({ passage, start, end }) => {
    const sentence = labelRows(passage, start, end)
    const own = listDates(sentence)
    const dates = own.length > 0 ? own : listDates([passage.name, ...passage.headings].join(" "))
    const named = dates.length > 0 ? dates : [{ from: passage.createdAt.slice(0, 10), to }]
    return sentence.toLowerCase().includes(said) || named.some((date) => periods.some((each) => overlaps(each, date)))
  }
}

/** The quotes that answer a question in its time. Of a client or deal it says when the deal ended, so that every quote does. */
export const quotesInTime = (question: string, subject: Subject | undefined, now: Date): ((quote: Quote) => boolean) =>
  subject === undefined || subject.kind === "competitor" ? agreesInTime(question, now) : NO_TIME
