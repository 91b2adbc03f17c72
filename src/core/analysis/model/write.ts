import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SUMMARY_SECTIONS } from "../../deals/columns/summary.ts"
import type { WrittenSection } from "../written.ts"
import type { Calls } from "./calls.ts"
import {
  type Evidence,
  joined,
  keyQuoteFindings,
  makeCheck,
  MIN_FINDINGS,
  NOT_CARRIED,
  type Parties,
  refer,
  restsOn,
  shown,
  TOO_FEW,
} from "./evidence.ts"
import { SectionsForm } from "./forms.ts"
import { WRITE_RULES } from "./prompts.ts"

/** Findings that the sections are written from: the first ones of each kind. */
const MAX_PER_KIND = 40

const decode = Schema.decodeUnknownOption(SectionsForm.schema)

/** Writes the sections of a deal's story in one call, and drops each sentence that its findings do not carry. */
export const writeSections = Effect.fnUntraced(function* (
  calls: Calls,
  evidence: ReadonlyArray<Evidence>,
  parties: Parties,
) {
  const counts = new Map<string, number>()
  const used = evidence.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= MAX_PER_KIND
  })
  if (used.length < MIN_FINDINGS)
    return { sections: SUMMARY_SECTIONS.map((name) => empty(name, TOO_FEW)), droppedSentences: 0 }
  const referred = refer(used)
  const written = yield* calls.ask(
    {
      purpose: "write",
      rules: WRITE_RULES,
      data: { ...parties, findings: referred.map(shown) },
      form: SectionsForm,
      document: null,
      sample: 1,
    },
    decode,
  )
  const check = makeCheck(calls, referred, parties)
  let droppedSentences = 0
  const sections = SUMMARY_SECTIONS.map((name): WrittenSection => {
    if (name === "key_quotes") return keyQuotes(evidence)
    const sentences = check(written[name], name === "recommendations")
    droppedSentences += written[name].length - sentences.length
    if (restsOn(sentences) >= MIN_FINDINGS) return { name, text: joined(sentences), reason: null, sentences }
    return empty(name, written[name].length > 0 && sentences.length === 0 ? NOT_CARRIED : TOO_FEW)
  })
  return { sections, droppedSentences }
})

const empty = (name: WrittenSection["name"], reason: string): WrittenSection => ({
  name,
  text: null,
  reason,
  sentences: [],
})

/** The buyer's quotes as they are; a single one is a quote, too. */
const keyQuotes = (evidence: ReadonlyArray<Evidence>): WrittenSection => {
  const quotes = keyQuoteFindings(evidence)
  if (quotes.length === 0) return empty("key_quotes", "the buyer says nothing worth quoting")
  const sentences = quotes.map(({ quote, id }) => ({ text: quote, findings: [id] }))
  return { name: "key_quotes", text: joined(sentences), reason: null, sentences }
}
