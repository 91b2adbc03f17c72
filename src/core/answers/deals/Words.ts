/** Stands where something was understood: no pattern of ours matches it. */
const TAKEN = "|"

/**
 * A question being understood: what a pattern takes is no longer there for the next, and what nothing took is left over.
 * Lower case, with the offsets of the original.
 */
export class Words {
  readonly original: string
  #text: string

  constructor(question: string) {
    this.original = plain(question).replaceAll(TAKEN, " ")
    this.#text = [...this.original].map(lower).join("")
  }

  get text(): string {
    return this.#text
  }

  /** Takes the first match, if there is one. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.takeAt(match.index, match.index + match[0].length)
    return match
  }

  takeAt(start: number, end: number): void {
    this.#text = this.#text.slice(0, start) + TAKEN.repeat(end - start) + this.#text.slice(end)
  }

  /** Where a name stands as words of its own, a plural or genitive `s` after it included. */
  find(name: string): { readonly start: number; readonly end: number } | undefined {
    const written = plain(name)
    if (!/[\p{L}\p{N}]/u.test(written)) return undefined
    const sought = [...written].map(lower).join("")
    for (let start = this.#text.indexOf(sought); start >= 0; start = this.#text.indexOf(sought, start + 1)) {
      if (/[\p{L}\p{N}]/u.test(this.#text.charAt(start - 1))) continue
      const end = start + sought.length
      const suffix = /^'?s?(?![\p{L}\p{N}])/u.exec(this.#text.slice(end))
      if (suffix === null) continue
      // A name as short as "US" is a word like any other, unless written the same.
      if (name.length <= 3 && this.original.slice(start, end) !== written) continue
      return { start, end: end + suffix[0].length }
    }
    return undefined
  }

  /** The words that nothing took and that mean something, in order; `before`: what stands right before each. */
  left(): ReadonlyArray<{
    readonly word: string
    readonly start: number
    readonly end: number
    readonly before: string
  }> {
    return [...this.#text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'&.-]*/gu)]
      .filter(([word]) => !EMPTY.has(word.replace(/(?:'s|[.'-])+$/, "")))
      .map((match) => ({
        word: match[0],
        start: match.index,
        end: match.index + match[0].length,
        before: /([\p{L}]+)\s+(?:the\s+)?$/u.exec(this.#text.slice(0, match.index))?.[1] ?? "",
      }))
  }
}

/** Apostrophes and white space as a keyboard has them; no offset moves. */
const plain = (text: string) => text.replaceAll(/[’‘]/g, "'").replaceAll(/\s/g, " ")

const lower = (character: string) => {
  const lowered = character.toLowerCase()
  return lowered.length === character.length ? lowered : character
}

/** Words without a meaning of their own in a question about deals. */
const EMPTY: ReadonlySet<string> = new Set(
  `a about all but mention mentions mentioned mentioning ask asks asked asking request requests requested also an and any are as at be been being by can could currently deal deals did do does during each ever every
  far for from get give had has have how i in into is it its list many me much must now number of on one or our ours out
  please right show so tell than that the their them then there these they this those time times to today us was we were
  what when where which who whose will with would you your amount amounts value values worth size sizes money
  opportunity opportunities opp opps customer customers account accounts client clients company companies buyer buyers
  competitor competitors rival rivals vendor vendors region regions industry industries sector sectors product products
  owner owners rep reps stage stages status type types name names feature features reason reasons driver drivers
  own owns owned against versus vs involving involved featuring go went gone come came make made up over segment
  because due result results overall altogether together happened happen ended end still just only us against
  business sales usd eur gbp dollars euros pounds list find count`.split(/\s+/),
)
