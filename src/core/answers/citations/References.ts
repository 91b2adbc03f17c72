import * as SecureRandom from "effect/crypto/SecureRandom"
import { findBreaks, findSource, labelAll } from "../../search/rows.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import type { Citation } from "../citation.ts"
import { formatCount, formatValue, unitOf } from "../questions/words/numbers.ts"
import { nameOf } from "../questions/reply/reply.ts"
import { citedRow } from "../figures/citeFigure.ts"
import { type ReportRows, rowAt, writeTitle, writeRow } from "../figures/figure.ts"
import { combine, type Measured, readExpression } from "./expression.ts"
import { type Profile, makeProfile } from "./profile.ts"
import { Evidence, type Weigh, weighByRarity } from "./verifier.ts"
import type { Span } from "./facts.ts"

/** Without vowels, so that no ref is a word. */
const ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
const LENGTH = 4

const makeRef = () =>
  Array.from(SecureRandom.randomBytesUnsafe(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("")

/** A part of a passage; offsets are in the passage's text. */
export interface Quote extends Span {
  readonly passage: Passage
}

/** Names of a deal and its fields; claims use these words, records use labels. */
const DEAL_WORDS = "deal opportunity worth value amount account customer buyer"

/** A deal's record has one fact per line, and one sentence can combine ten of them. */
const evidenceOf = (passage: Passage) => {
  const { source, text, name, dealName, headings } = passage
  const labels = [name, dealName ?? "", ...headings]
  return source === "document"
    ? new Evidence(labelAll(passage), { labels: labels.join("\n"), breaks: findBreaks(passage) })
    : new Evidence(text, { labels: [...labels, DEAL_WORDS].join("\n"), maxUnits: 12, minShare: 0 })
}

/** The source that a citation opens: a part of a passage, a row of a report, or a citation of a finished answer. */
export type Citable =
  | { readonly kind: "quote"; readonly quote: Quote }
  | { readonly kind: "row"; readonly rows: ReportRows; readonly row: number | undefined }
  | { readonly kind: "cited"; readonly citation: Citation }

/** A value that a model inserts by reference, as answers write it, and the part of its source that states it. */
interface Insertable {
  readonly text: string
  readonly at: Span
  readonly measured?: Measured
}

type Insertables = ReadonlyMap<string, Insertable>

interface Source {
  readonly evidence: Evidence
  /** Undefined if nothing opens the source. */
  readonly citableAt: (span: Span) => Citable | undefined
  readonly values: Insertables
  /** The names of the source and of its subjects. */
  readonly names: ReadonlyArray<string>
}

const WHOLE: Span = { start: 0, end: 0 }

/** The names of tools' fields for the number of deals. */
const COUNTS: ReadonlySet<string> = new Set(["count", "total", "found"])

/** Holds the results that a model received in one answer, under random refs. A model can cite nothing else. */
export class References {
  readonly #sources = new Map<string, Source>()
  readonly #names = new Set<string>()
  readonly #refs = new Map<string, string>()
  readonly #reports = new Set<ReportRows>()
  #weigh: Weigh | undefined

  /** Returns the ref of a passage; the same passage keeps its ref. */
  ref(passage: Passage): string {
    return this.#addRef(["passage", passage.source, passage.id, passage.start, passage.end], () => ({
      evidence: evidenceOf(passage),
      citableAt: ({ start, end }) => ({ kind: "quote", quote: { passage, ...findSource(passage, start, end) } }),
      values: passage.source === "deal" && passage.start === 0 ? recordedValues(passage.text) : new Map(),
      names: [passage.name, passage.dealName ?? "", ...passage.headings],
    }))
  }

  /** Returns the ref of a row of a report, or of its totals. */
  refRow(rows: ReportRows, row: number | undefined): string {
    const { figure, report, currency } = rows
    this.#reports.add(rows)
    return this.#addRef(["row", figure, row], () => {
      const found = rowAt(row, report)
      return {
        evidence: new Evidence(found === undefined ? "" : writeRow(figure.query, found, currency), {
          labels: writeTitle(figure),
        }),
        citableAt: () => ({ kind: "row", rows, row }),
        values: valuesOfRow(rows, row),
        names: namesOfRow(rows, row),
      }
    })
  }

  /** The reports whose rows have refs. */
  get reports(): ReadonlyArray<ReportRows> {
    return [...this.#reports]
  }

  /** Returns the ref of what an answer without a model cites. */
  refCitation(citation: Citation): string {
    const cited = citedRow(citation)
    const of =
      cited === undefined
        ? {
            values: citation.document_id === citation.deal_id ? recordedValues(citation.excerpt) : new Map(),
            names: [citation.document_name, citation.deal_name ?? ""],
          }
        : { values: valuesOfRow(cited.rows, cited.row), names: namesOfRow(cited.rows, cited.row) }
    return this.#addRef(["cited", citation.url], () => ({
      evidence: new Evidence(citation.excerpt, { labels: citation.document_name }),
      citableAt: () => ({ kind: "cited", citation }),
      ...of,
    }))
  }

  /** Returns the ref of counts that no page shows: a model inserts them, and cites nothing. */
  refCounts(counts: Readonly<Record<string, number>>): string {
    const values = Object.entries(counts).map(
      ([name, count]) => [name, { text: formatCount(count), at: WHOLE }] as const,
    )
    return this.#addRef(["counts", counts], () => ({
      evidence: new Evidence(""),
      citableAt: () => undefined,
      values: new Map(values),
      names: [],
    }))
  }

  has(ref: string): boolean {
    return this.#sources.has(ref.toLowerCase())
  }

  /** The numbers and dates of a row or deal by name, for a model that receives it. */
  valuesOf(ref: string): Readonly<Record<string, string>> {
    const values = this.#sources.get(ref.toLowerCase())?.values ?? []
    return Object.fromEntries([...values].flatMap(([name, { text }]) => (/\d|^–$/.test(text) ? [[name, text]] : [])))
  }

  /** Removes the names of sources that have digits, as whole names: they state no number. */
  removeNames(text: string): string {
    if (!/\d/.test(text)) return text
    let rest = text
    for (const name of this.#names)
      if (/\d/.test(name) && /\p{L}/u.test(name)) rest = rest.replaceAll(wholeName(name), " ")
    return rest
  }

  /** The dates that name rows, such as `2026-Q1`. */
  get dates(): ReadonlyArray<string> {
    return [...this.#names].filter((name) => /^\d{4}(?:-(?:Q?\d+))*$/.test(name))
  }

  /** Returns the value that an expression such as `k7f3.win_rate` or `k7f3.won / m2q9.won` names, as answers write it, with its sources. */
  evaluate(text: string): { readonly text: string; readonly citables: ReadonlyArray<Citable> } | undefined {
    const expression = readExpression(text)
    const first = expression && this.#find(expression.first)
    if (expression?.other === undefined || first === undefined)
      return first && { text: first.text, citables: first.citables }
    const second = this.#find(expression.other.term)
    if (first.measured === undefined || second?.measured === undefined) return undefined
    const result = combine(first.measured, expression.other.operator, second.measured)
    if (result === undefined) return undefined
    return {
      text: result,
      citables: first.source === second.source ? first.citables : [...first.citables, ...second.citables],
    }
  }

  #find({ ref, field }: { readonly ref: string; readonly field: string }) {
    const source = this.#sources.get(ref.toLowerCase())
    const name = normalize(field)
    const value = source?.values.get(name) ?? (COUNTS.has(name) ? source?.values.get("deals") : undefined)
    return source === undefined || value === undefined
      ? undefined
      : { ...value, source, citables: [source.citableAt(value.at) ?? []].flat() }
  }

  /** Returns the shortest part of the source that supports the claim, if the ref exists and its source supports it. */
  quote(ref: string, claim: string): Citable | undefined {
    const known = this.#sources.get(ref.toLowerCase())
    if (known === undefined) return undefined
    this.#weigh ??= weighByRarity([...this.#sources.values()].map(({ evidence }) => evidence))
    const span = known.evidence.find(this.#profileOf(claim), this.#weigh)
    return span === undefined ? undefined : known.citableAt(span)
  }

  #addRef(key: ReadonlyArray<unknown>, make: () => Source): string {
    const name = JSON.stringify(key)
    const known = this.#refs.get(name)
    if (known !== undefined) return known
    let ref = makeRef()
    while (this.#sources.has(ref)) ref = makeRef()
    this.#refs.set(name, ref)
    const source = make()
    this.#sources.set(ref, source)
    for (const each of source.names) this.#names.add(each)
    this.#weigh = undefined
    return ref
  }

  #last: { readonly claim: string; readonly profile: Profile } | undefined

  /** Caches the last profile: adjacent refs have the same claim. */
  #profileOf(claim: string): Profile {
    if (this.#last?.claim !== claim) this.#last = { claim, profile: makeProfile(claim) }
    return this.#last.profile
  }
}

const normalize = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")

export const isOfReport = ({ document_id }: Citation): boolean => document_id.startsWith("rpt_")

const wholeName = (name: string) =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}(?![\p{L}\p{N}])`,
    "giu",
  )

const valuesOfRow = ({ figure, report, currency }: ReportRows, row: number | undefined): Insertables => {
  const found = rowAt(row, report)
  const write = (measure: string, value: number | null): Insertable => {
    const measured = { measure, value, currency: unitOf(measure) === "money" ? currency : undefined }
    return { text: formatValue(measure, value, currency), at: WHOLE, measured }
  }
  const values = figure.query.measures.flatMap((measure) => {
    const now = [measure, write(measure, found?.values[measure] ?? null)] as const
    if (found?.previous === undefined) return [now]
    return [now, [`previous_${measure}`, write(measure, found.previous[measure] ?? null)] as const]
  })
  return new Map(values.map(([name, value]) => [normalize(name), value]))
}

const namesOfRow = ({ figure, report }: ReportRows, row: number | undefined): ReadonlyArray<string> => {
  const found = row === undefined ? undefined : report.data[row]
  return found === undefined ? [] : figure.query.groupBy.map((dimension) => nameOf(found, dimension))
}

const FACT = /^([A-Z][\p{L} ]{1,30}): (\S.*)$/gmu
const AMOUNT = /^(-?\d+(?:\.\d+)?)(?: ([A-Z]{3}))?$/

/** The facts of a deal's record, which stand a line each before its sections: "Close date: 2026-03-31". */
const recordedValues = (record: string): Insertables =>
  new Map(
    [...(/^(?:.*\n\n)?(?:.+: .+\n?)+/.exec(record)?.[0] ?? "").matchAll(FACT)].map(
      ({ 0: line, 1: label = "", 2: text = "", index }) => {
        const at = { start: index, end: index + line.length }
        const [, digits, currency] = (label === "Amount" && AMOUNT.exec(text)) || []
        if (digits === undefined) return [normalize(label), { text, at }] as const
        const value = Number(digits)
        const written = `${formatCount(value)}${currency === undefined ? "" : ` ${currency}`}`
        return ["amount", { text: written, at, measured: { measure: "amount", value, currency } }] as const
      },
    ),
  )
