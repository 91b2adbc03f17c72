import type { SetDocument, Truth } from "./set/generate.ts"

/** A finding of any system, about one document. */
export interface Scored {
  readonly kind: string
  readonly target: string
  readonly side: string
  readonly effect: string | null
  readonly quote: string
}

const fold = (text: string) => text.replaceAll(/\s+/g, " ").trim().toLowerCase()

/** Whether a quote is a sentence, or a part of it, or holds it. */
export const isSameSentence = (quote: string, sentence: string): boolean => {
  const [one, other] = [fold(quote), fold(sentence)]
  return one.includes(other) || other.includes(one)
}

const isOf = ({ kind, target, quote }: Scored, truth: Truth) =>
  kind === truth.kind && target === truth.target && isSameSentence(quote, truth.sentence)

const EFFECTS = ["positive", "negative", "neutral"] as const

/** Counts right and wrong findings over documents. */
export class Score {
  readonly #counts = new Map<string, { found: number; wrong: number; missed: number }>()
  #sides = { right: 0, all: 0 }
  readonly #effects = new Map<string, number>()
  #quotes = { verbatim: 0, all: 0 }
  #promises = { right: 0, all: 0 }
  readonly traps = new Map<string, { right: number; all: number }>()

  /** `text` is the document's text as the system reads it; it proves quotes. */
  add(document: SetDocument, text: string, findings: ReadonlyArray<Scored>): void {
    const whole = fold(text)
    const left = new Set(findings)
    for (const truth of document.truth) {
      const finding = [...left].find((each) => isOf(each, truth))
      if (finding !== undefined) left.delete(finding)
      this.#count(truth.kind, finding === undefined ? "missed" : "found")
      if (truth.trap !== undefined) this.#trap(truth, finding)
      if (finding === undefined) continue
      if (truth.side !== "unknown" && truth.kind !== "driver") {
        this.#sides.all++
        if (finding.side === truth.side) this.#sides.right++
      }
      // An effect that is not known is neutral, as in associations.
      if (truth.effect !== null) {
        const key = `${truth.kind === "driver" ? "driver" : "mention"} ${truth.effect} ${finding.effect ?? "neutral"}`
        this.#effects.set(key, (this.#effects.get(key) ?? 0) + 1)
      }
    }
    for (const { kind } of left) if (kind !== "quote") this.#count(kind, "wrong")
    for (const { quote } of findings) {
      this.#quotes.all++
      if (whole.includes(fold(quote))) this.#quotes.verbatim++
    }
  }

  /** A promise that was taken back is right if it is not shown as open. */
  addPromises(
    document: SetDocument,
    steps: ReadonlyArray<{ readonly quote: string; readonly withdrawn: boolean }>,
  ): void {
    for (const { sentence, withdrawn } of document.promises) {
      const step = steps.find(
        ({ quote }) => fold(quote).includes(fold(sentence)) || fold(sentence).includes(fold(quote)),
      )
      this.#promises.all++
      if (step?.withdrawn === withdrawn) this.#promises.right++
    }
  }

  #count(kind: string, what: "found" | "wrong" | "missed"): void {
    const counts = this.#counts.get(kind) ?? { found: 0, wrong: 0, missed: 0 }
    counts[what]++
    this.#counts.set(kind, counts)
  }

  #trap(truth: Truth, finding: Scored | undefined): void {
    const trap = this.traps.get(truth.trap!) ?? { right: 0, all: 0 }
    trap.all++
    const isSame = truth.effect === null || (finding?.effect ?? "neutral") === truth.effect
    if (finding !== undefined && isSame && finding.side === truth.side) trap.right++
    this.traps.set(truth.trap!, trap)
  }

  of(kind: string) {
    const { found, wrong, missed } = this.#counts.get(kind) ?? { found: 0, wrong: 0, missed: 0 }
    return {
      found,
      wrong,
      missed,
      precision: ratio(found, found + wrong),
      recall: ratio(found, found + missed),
      f1: ratio(2 * found, 2 * found + wrong + missed),
    }
  }

  get side() {
    return ratio(this.#sides.right, this.#sides.all)
  }

  get verbatim() {
    return ratio(this.#quotes.verbatim, this.#quotes.all)
  }

  get promises() {
    return ratio(this.#promises.right, this.#promises.all)
  }

  /** The mean of the F1 of the three effects, over the findings that are right otherwise. */
  macroF1(of: "mention" | "driver") {
    const effects = EFFECTS.filter((each) => [...this.#effects.keys()].some((key) => key.startsWith(`${of} ${each} `)))
    const count = (truth: string, given: string) => this.#effects.get(`${of} ${truth} ${given}`) ?? 0
    const each = effects.map((effect) => {
      const right = count(effect, effect)
      const wrong = EFFECTS.reduce((sum, other) => sum + (other === effect ? 0 : count(other, effect)), 0)
      const missed = EFFECTS.reduce((sum, other) => sum + (other === effect ? 0 : count(effect, other)), 0)
      return ratio(2 * right, 2 * right + wrong + missed)
    })
    return ratio(
      each.reduce((sum, one) => sum + one, 0),
      each.length,
    )
  }
}

const ratio = (part: number, all: number) => (all === 0 ? 0 : part / all)
