import * as SecureRandom from "effect/crypto/SecureRandom"
import type { Passage } from "../../search/SearchIndex.ts"
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

/** What people call a deal and its fields; claims use these words, records use labels. */
const DEAL_WORDS = "deal opportunity worth value amount account customer buyer"

/** A deal's record has one fact per line, and one sentence can combine ten of them. */
const evidenceOf = ({ source, text, name, dealName, headings }: Passage) => {
  const labels = [name, dealName ?? "", ...headings]
  return source === "document"
    ? new Evidence(text, { labels: labels.join("\n") })
    : new Evidence(text, { labels: [...labels, DEAL_WORDS].join("\n"), maxUnits: 12, minShare: 0 })
}

/** The passages that a model received in one answer, under random refs. A model can cite nothing else. */
export class References {
  readonly #passages = new Map<string, { readonly passage: Passage; readonly evidence: Evidence }>()
  readonly #refs = new Map<string, string>()
  #weigh: Weigh | undefined

  /** Returns the ref of a passage; the same passage keeps its ref. */
  ref(passage: Passage): string {
    const key = JSON.stringify([passage.source, passage.id, passage.start, passage.end])
    const known = this.#refs.get(key)
    if (known !== undefined) return known
    let ref = makeRef()
    while (this.#passages.has(ref)) ref = makeRef()
    this.#refs.set(key, ref)
    this.#passages.set(ref, { passage, evidence: evidenceOf(passage) })
    this.#weigh = undefined
    return ref
  }

  has(ref: string): boolean {
    return this.#passages.has(ref.toLowerCase())
  }

  /** Returns the shortest part of the passage that supports the claim, if the ref exists and its passage supports it. */
  quote(ref: string, claim: string): Quote | undefined {
    const known = this.#passages.get(ref.toLowerCase())
    if (known === undefined) return undefined
    this.#weigh ??= weighByRarity([...this.#passages.values()].map(({ evidence }) => evidence))
    const span = known.evidence.find(this.#profileOf(claim), this.#weigh)
    return span === undefined ? undefined : { passage: known.passage, ...span }
  }

  #last: { readonly claim: string; readonly profile: Profile } | undefined

  /** Caches the last profile: adjacent refs have the same claim. */
  #profileOf(claim: string): Profile {
    if (this.#last?.claim !== claim) this.#last = { claim, profile: profileOf(claim) }
    return this.#last.profile
  }
}
