/** Our addresses contain no blanks and no brackets. */
const LINK = /\]\(([^\s()]*)\)/g

/** The end of a text that can become a link. It is held back, up to a length that no link of ours has. */
const UNFINISHED = /\](?:\([^\s()]*)?$/
const MAX_HELD_LENGTH = 4096

/** Finds the links of Markdown, which arrives in pieces of any size, and returns them whole. */
export class LinkWriter {
  readonly #onLink: (url: string) => void
  #held = ""

  /** `onLink` is called for each link before the text with it is returned. */
  constructor(onLink: (url: string) => void) {
    this.#onLink = onLink
  }

  push(piece: string): string {
    const text = this.#held + piece
    const tail = UNFINISHED.exec(text)?.[0] ?? ""
    this.#held = tail.length > MAX_HELD_LENGTH ? "" : tail
    return this.#write(text.slice(0, text.length - this.#held.length))
  }

  /** Ends the text and returns what was held back. */
  end(): string {
    return this.#write(this.#held)
  }

  #write(text: string): string {
    for (const [, url = ""] of text.matchAll(LINK)) this.#onLink(url)
    return text
  }
}
