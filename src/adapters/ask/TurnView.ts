import { drawInto, make } from "./draw.ts"
import type { AskTexts } from "./elementTexts.ts"
import { safeHref } from "./href.ts"
import { parseMarkdown } from "./markdown.ts"
import type { Citation, Turn } from "./types.ts"

interface Actions {
  readonly texts: () => AskTexts
  /** Runs when a citation is clicked. False prevents that it opens. */
  readonly open: (citation: Citation, number: number) => boolean
  readonly resume: () => void
  /** Asks a question that the answer offers. */
  readonly ask: (question: string) => void
}

/** A question and its answer in the document. */
export class TurnView {
  readonly root: HTMLElement
  readonly #text = make("div", { class: "text", part: "text" })
  readonly #after = make("div")
  readonly #question: HTMLElement
  readonly #actions: Actions
  #shown: Turn | undefined

  constructor(actions: Actions) {
    this.#actions = actions
    this.#question = make("p", { class: "question", part: "question" })
    this.root = make("article", { part: "turn" }, this.#question, this.#text, this.#after)
  }

  show(turn: Turn): void {
    if (turn === this.#shown) return
    this.#shown = turn
    const texts = this.#actions.texts()
    const isRunning = turn.status === "submitted" || turn.status === "streaming"
    if (this.#question.textContent !== turn.question) this.#question.textContent = turn.question
    // A screen reader reads the answer when it is whole.
    this.root.setAttribute("aria-busy", String(isRunning))
    const mark = (number: number) => this.#mark(turn.citations[number - 1]!, number)
    const offer = (question: string) => {
      const button = make("button", { type: "button", class: "quiet", part: "offer" }, question)
      button.addEventListener("click", () => this.#actions.ask(question))
      return button
    }
    drawInto(this.#text, parseMarkdown(turn.text, turn.citations.length), { mark, table: texts.table, offer })
    this.#after.replaceChildren(...this.#drawEnd(turn, texts))
  }

  #drawEnd({ status, text, citations, error }: Turn, texts: AskTexts): ReadonlyArray<Node> {
    if (status === "submitted" && text === "") return [make("p", { class: "note waiting" }, texts.waiting)]
    const again = () => {
      const button = make("button", { type: "button", class: "quiet" }, texts.again)
      button.addEventListener("click", this.#actions.resume)
      return button
    }
    const note =
      status === "stopped"
        ? [make("p", { class: "note" }, texts.stopped)]
        : status === "failed"
          ? [make("p", { class: "note", role: "alert" }, `${texts.failed} ${error?.message ?? ""} `, again())]
          : []
    return status === "submitted" || status === "streaming" || citations.length === 0
      ? note
      : [...note, this.#sources(citations, texts)]
  }

  #sources(citations: ReadonlyArray<Citation>, texts: AskTexts): Node {
    const { length } = citations
    const title = length === 1 ? texts.oneSource : texts.sources.replace("#", String(length))
    const items = citations.map((citation, index) =>
      make("li", {}, this.#link(citation, index + 1, citation.document_name), make("span", {}, citation.excerpt)),
    )
    const list = make("ol", { class: "sources", part: "sources" }, ...items)
    return make("details", length <= 3 ? { open: "" } : {}, make("summary", {}, title), list)
  }

  #mark(citation: Citation, number: number): Node {
    const { source } = this.#actions.texts()
    const name = `${source.replace("#", String(number))}: ${citation.document_name}`
    const more = { class: "mark", part: "mark", title: citation.excerpt, "aria-label": name }
    return this.#link(citation, number, String(number), more)
  }

  #link(citation: Citation, number: number, text: string, more: Readonly<Record<string, string>> = {}): Node {
    const link = make("a", { href: safeHref(citation.url), target: "_blank", rel: "noopener", ...more }, text)
    link.addEventListener("click", (event) => {
      if (!this.#actions.open(citation, number)) event.preventDefault()
    })
    return link
  }
}
