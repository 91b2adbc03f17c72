import * as SecureRandom from "effect/crypto/SecureRandom"
import type { Passage } from "../../search/SearchIndex.ts"
import { Evidence, rarity, type Span, type Weigh } from "./verifier.ts"
import { type Words, wordsOf } from "./words.ts"

/** No vowels, so that no ref is a word. */
const ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
const LENGTH = 4

const makeRef = () =>
  Array.from(SecureRandom.randomBytesUnsafe(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("")

/** A part of a passage; offsets are in the passage's text. */
export interface Quote extends Span {
  readonly passage: Passage
}

/** What people say of a deal where its record has a label. */
const DEAL = "deal opportunity worth value amount account customer buyer"

/** A deal's record is a list of facts, a line each: a sentence may well take its parts from ten of them. */
const evidenceOf = ({ source, text, name, dealName, headings }: Passage) => {
  const labels = [name, dealName ?? "", ...headings]
  return source === "document"
    ? new Evidence(text, { labels: labels.join("\n") })
    : new Evidence(text, { labels: [...labels, DEAL].join("\n"), widest: 12, share: 0 })
}

/**
 * The passages that a model was shown in one answer, under names that mean nothing outside it: what a model cites is one
 * of these, or nothing.
 */
export class References {
  readonly #passages = new Map<string, { readonly passage: Passage; readonly evidence: Evidence }>()
  readonly #refs = new Map<string, string>()
  #weigh: Weigh | undefined

  /** The same passage has the same ref. */
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

  /** The shortest part of the passage that carries the claim; undefined where it does not, or where nothing has this ref. */
  quote(ref: string, claim: string): Quote | undefined {
    const known = this.#passages.get(ref.toLowerCase())
    if (known === undefined) return undefined
    this.#weigh ??= rarity([...this.#passages.values()].map(({ evidence }) => evidence))
    const span = known.evidence.find(this.#wordsOf(claim), this.#weigh)
    return span === undefined ? undefined : { passage: known.passage, ...span }
  }

  #last: { readonly claim: string; readonly words: Words } | undefined

  /** Refs that stand together are asked for the same claim. */
  #wordsOf(claim: string): Words {
    if (this.#last?.claim !== claim) this.#last = { claim, words: wordsOf(claim) }
    return this.#last.words
  }
}
