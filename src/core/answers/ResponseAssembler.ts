import type { ToolName } from "./tools/names.ts"
import type { AnswerEvent } from "./Answerer.ts"
import type { Citation } from "./citation.ts"
import { LinkWriter } from "./citations/LinkWriter.ts"
import { MarkWriter } from "./citations/MarkWriter.ts"
import { isOfReport } from "./citations/References.ts"
import type { CitationStyle, Includable, ResponseEvent } from "./events.ts"

/**
 * Assembles the events that callers see from those of an answerer. Sends a citation when the text first refers to it, so that
 * the citations of a stream equal those of the whole answer. `end` returns the last event, which also is the JSON reply.
 */
export class ResponseAssembler {
  readonly #include: ReadonlySet<Includable>
  readonly #known = new Map<string, Citation>()
  /** The number of each cited item, by its address. */
  readonly #numbers = new Map<string, number>()
  readonly #citations: Array<Citation> = []
  readonly #tools = new Set<ToolName>()
  readonly #sent: Array<string> = []
  #withheld = 0
  readonly #writer: LinkWriter | MarkWriter

  constructor(include: ReadonlyArray<Includable>, style: CitationStyle = "links") {
    this.#include = new Set(include)
    this.#writer =
      style === "links"
        ? new LinkWriter((url) => void this.#cite(url))
        : new MarkWriter((url) => {
            const number = this.#cite(url)
            if (number === undefined) return undefined
            return { number, kind: isOfReport(this.#citations[number - 1]!) ? "pointer" : "text" }
          })
  }

  add(event: AnswerEvent): ReadonlyArray<ResponseEvent> {
    switch (event.type) {
      case "citation":
        if (!this.#known.has(event.citation.url)) this.#known.set(event.citation.url, event.citation)
        return []
      case "content_delta":
        return this.#send(() => this.#writer.push(event.content, event.link))
      case "tool_call":
        this.#tools.add(event.name)
        break
      case "withheld":
        this.#withheld++
        return []
      default:
    }
    return this.#include.has(event.type) ? [event] : []
  }

  end(): ReadonlyArray<ResponseEvent> {
    const rest = this.#send(() => this.#writer.end())
    const message = {
      role: "assistant",
      content: this.#sent.join(""),
      citations: [...this.#citations],
      ...(this.#withheld > 0 && { withheld: this.#withheld }),
    } as const
    return [...rest, { type: "done", message, tool_calls: [...this.#tools] }]
  }

  /** Returns the number of the item at `url`, from 1; undefined if the address is no citation's. */
  #cite(url: string): number | undefined {
    const citation = this.#known.get(url)
    if (citation === undefined) return undefined
    const number = this.#numbers.get(url) ?? this.#citations.push(citation)
    this.#numbers.set(url, number)
    return number
  }

  #send(write: () => string): ReadonlyArray<ResponseEvent> {
    const before = this.#citations.length
    const content = write()
    if (content === "") return []
    this.#sent.push(content)
    const cited = this.#citations.slice(before)
    return [...cited.map((citation) => ({ type: "citation", citation }) as const), { type: "content_delta", content }]
  }
}
