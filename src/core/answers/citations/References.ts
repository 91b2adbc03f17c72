import * as SecureRandom from "effect/crypto/SecureRandom"
import { labelRows, sourceOf } from "../../search/rows.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import type { Citation } from "../citation.ts"
import { formatValue } from "../deals/numbers.ts"
import { type ReportRows, rowOf, titleOf, writeRow } from "../figures/figure.ts"
import { type Profile, profileOf } from "./profile.ts"
import { Evidence, type Span, type Weigh, weighByRarity } from "./verifier.ts"

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
    ? new Evidence(labelRows(passage), { labels: labels.join("\n") })
    : new Evidence(text, { labels: [...labels, DEAL_WORDS].join("\n"), maxUnits: 12, minShare: 0 })
}

/** The source that a citation opens: a part of a passage, a row of a report, or a citation of a finished answer. */
export type Citable =
  | { readonly kind: "quote"; readonly quote: Quote }
  | { readonly kind: "row"; readonly rows: ReportRows; readonly row: number | undefined }
  | { readonly kind: "cited"; readonly citation: Citation }

interface Source {
  readonly evidence: Evidence
  readonly citableAt: (span: Span) => Citable
  /** The values of a row as answers write them, by name. */
  readonly values: ReadonlyMap<string, string>
}

/** Holds the results that a model received in one answer, under random refs. A model can cite nothing else. */
export class References {
  readonly #sources = new Map<string, Source>()
  readonly #refs = new Map<string, string>()
  readonly #reports = new Set<ReportRows>()
  #weigh: Weigh | undefined

  /** Returns the ref of a passage; the same passage keeps its ref. */
  ref(passage: Passage): string {
    return this.#refOf(["passage", passage.source, passage.id, passage.start, passage.end], () => ({
      evidence: evidenceOf(passage),
      citableAt: ({ start, end }) => ({ kind: "quote", quote: { passage, ...sourceOf(passage, start, end) } }),
      values: new Map(),
    }))
  }

  /** Returns the ref of a row of a report, or of its totals. */
  refRow(rows: ReportRows, row: number | undefined): string {
    const { figure, report, currency } = rows
    this.#reports.add(rows)
    return this.#refOf(["row", figure, row], () => {
      const found = rowOf(row, report)
      const written = found === undefined ? "" : writeRow(figure.query, found, currency)
      const values = figure.query.measures.flatMap((measure) => {
        const write = (value: number | null | undefined) => formatValue(measure, value ?? null, currency)
        const before =
          found?.previous === undefined ? [] : [[`previous_${measure}`, write(found.previous[measure])] as const]
        return [[measure, write(found?.values[measure])] as const, ...before]
      })
      return {
        evidence: new Evidence(written, { labels: titleOf(figure) }),
        citableAt: () => ({ kind: "row", rows, row }),
        values: new Map(values.map(([name, value]) => [normalize(name), value])),
      }
    })
  }

  /** The reports whose rows have refs. */
  get reports(): ReadonlyArray<ReportRows> {
    return [...this.#reports]
  }

  /** Returns the ref of what an answer without a model cites. */
  refCitation(citation: Citation): string {
    return this.#refOf(["cited", citation.url], () => ({
      evidence: new Evidence(citation.excerpt, { labels: citation.document_name }),
      citableAt: () => ({ kind: "cited", citation }),
      values: isOfReport(citation) ? readValues(citation.excerpt) : new Map(),
    }))
  }

  has(ref: string): boolean {
    return this.#sources.has(ref.toLowerCase())
  }

  /** The values of a row by name, for a model that receives the row. */
  valuesOf(ref: string): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#sources.get(ref.toLowerCase())?.values ?? [])
  }

  /** Returns a value of a row, as answers write it. */
  value(ref: string, name: string): { readonly text: string; readonly citable: Citable } | undefined {
    const source = this.#sources.get(ref.toLowerCase())
    const text = source?.values.get(normalize(name))
    return source === undefined || text === undefined
      ? undefined
      : { text, citable: source.citableAt({ start: 0, end: 0 }) }
  }

  /** Returns the shortest part of the source that supports the claim, if the ref exists and its source supports it. */
  quote(ref: string, claim: string): Citable | undefined {
    const known = this.#sources.get(ref.toLowerCase())
    if (known === undefined) return undefined
    this.#weigh ??= weighByRarity([...this.#sources.values()].map(({ evidence }) => evidence))
    const span = known.evidence.find(this.#profileOf(claim), this.#weigh)
    return span === undefined ? undefined : known.citableAt(span)
  }

  #refOf(key: ReadonlyArray<unknown>, make: () => Source): string {
    const name = JSON.stringify(key)
    const known = this.#refs.get(name)
    if (known !== undefined) return known
    let ref = makeRef()
    while (this.#sources.has(ref)) ref = makeRef()
    this.#refs.set(name, ref)
    this.#sources.set(ref, make())
    this.#weigh = undefined
    return ref
  }

  #last: { readonly claim: string; readonly profile: Profile } | undefined

  /** Caches the last profile: adjacent refs have the same claim. */
  #profileOf(claim: string): Profile {
    if (this.#last?.claim !== claim) this.#last = { claim, profile: profileOf(claim) }
    return this.#last.profile
  }
}

const normalize = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")

export const isOfReport = ({ document_id }: Citation): boolean => document_id.startsWith("rpt_")

/** Reads the values of a row in words: "Orvanta: win rate 36.4 %, won 40" has `win_rate` and `won`. */
const readValues = (row: string): ReadonlyMap<string, string> => {
  const name = row.lastIndexOf(": ")
  return new Map(
    [
      ...row
        .slice(name < 0 ? 0 : name + 2)
        .matchAll(/(\p{L}[\p{L}\s]*?) ([−-]?\d[^\s]*(?:\s(?:%|k|m|bn|days?|[A-Z]{3}))*|–)(?=, |$)/gu),
    ].map(([, label = "", value = ""]) => [normalize(label), value] as const),
  )
}
