import type { ToolName } from "./tools/names.ts"
import type { AnswerEvent } from "./Answerer.ts"
import type { Citation } from "./citation.ts"
import type { Includable, ResponseEvent } from "./events.ts"

/** Our addresses contain no blanks and no brackets. */
const LINK = /\]\(([^\s()]*)\)/g

/** The end of a text that can become a link. It is held back, up to a length that no link of ours has. */
const UNFINISHED = /\](?:\([^\s()]*)?$/
const MAX_HELD_LENGTH = 4096

/**
 * Assembles the events that callers see from those of an answerer. Sends a citation when the text first links it, so that
 * the citations of a stream equal those of the whole answer. `end` returns the last event, which also is the JSON reply.
 */
export class ResponseAssembler {
  readonly #include: ReadonlySet<Includable>
  readonly #known = new Map<string, Citation>()
  readonly #cited = new Map<string, Citation>()
  readonly #tools = new Set<ToolName>()
  readonly #sent: Array<string> = []
  #held = ""

  constructor(include: ReadonlyArray<Includable>) {
    this.#include = new Set(include)
  }

  add(event: AnswerEvent): ReadonlyArray<ResponseEvent> {
    switch (event.type) {
      case "citation":
        if (!this.#known.has(event.citation.url)) this.#known.set(event.citation.url, event.citation)
        return []
      case "content_delta":
        return this.#text(this.#held + event.content)
      case "tool_call":
        this.#tools.add(event.name)
        break
      default:
    }
    return this.#include.has(event.type) ? [event] : []
  }

  end(): ReadonlyArray<ResponseEvent> {
    const rest = this.#send(this.#held)
    const message = { role: "assistant", content: this.#sent.join(""), citations: [...this.#cited.values()] } as const
    return [...rest, { type: "done", message, tool_calls: [...this.#tools] }]
  }

  #text(text: string): ReadonlyArray<ResponseEvent> {
    const tail = UNFINISHED.exec(text)?.[0] ?? ""
    this.#held = tail.length > MAX_HELD_LENGTH ? "" : tail
    return this.#send(text.slice(0, text.length - this.#held.length))
  }

  #send(text: string): ReadonlyArray<ResponseEvent> {
    if (text === "") return []
    this.#sent.push(text)
    const linked: Array<Citation> = []
    for (const [, url = ""] of text.matchAll(LINK)) {
      const citation = this.#known.get(url)
      if (citation === undefined || this.#cited.has(url)) continue
      this.#cited.set(url, citation)
      linked.push(citation)
    }
    return [
      ...linked.map((citation) => ({ type: "citation", citation }) as const),
      { type: "content_delta", content: text },
    ]
  }
}
