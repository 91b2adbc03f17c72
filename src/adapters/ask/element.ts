import { createClient } from "../client/client.ts"
import { Conversation } from "./Conversation.ts"
import { make } from "./draw.ts"
import { STYLE } from "./elementStyle.ts"
import { type AskTexts, textsIn } from "./elementTexts.ts"
import { TurnView } from "./TurnView.ts"
import type { AskClient, Turn } from "./types.ts"

export type { AskClient, AskEvent, Citation, Message, Turn } from "./types.ts"
export type { AskTexts } from "./elementTexts.ts"

type Token = string | (() => string | Promise<string>)

/** Properties that a host may set before the element is defined. */
const PROPERTIES = ["token", "client", "texts"] as const

/** The module also loads on a server, where there are no elements. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement

/**
 * `<sightline-ask>`: a field for questions, and their answers with citations. Attributes: `src`, the address of the API (the page's own
 * by default); `token`; `credentials`; `placeholder`; `label`; `lang`. Dispatches `sightline-answer` and `sightline-error` with the turn
 * as `detail`, and `sightline-citation` with `{ citation, number }`: `preventDefault()` keeps it from opening.
 */
export class SightlineAsk extends Base {
  static readonly observedAttributes = ["placeholder", "label", "lang"]

  #token: Token | undefined
  #client: AskClient | undefined
  #texts: Partial<AskTexts> | undefined
  readonly #views = new Map<string, TurnView>()
  readonly #conversation = new Conversation(() => ({
    client: this.#client ?? this.#makeClient(),
    onFinish: (turn) => this.#tell("sightline-answer", turn),
    onError: (_, turn) => this.#tell("sightline-error", turn),
  }))
  /** Whether the next frame shows changes. */
  #isDue = false
  #field!: HTMLTextAreaElement
  #button!: HTMLButtonElement
  #turns!: HTMLElement
  #status!: HTMLElement
  #label!: HTMLElement

  /** A bearer token, or a function that returns one that is still valid; it is called for each request. Wins over the attribute. */
  get token(): Token | undefined {
    return this.#token
  }
  set token(token: Token | undefined) {
    this.#token = token
  }

  /** Replaces the client that the attributes describe. */
  get client(): AskClient | undefined {
    return this.#client
  }
  set client(client: AskClient | undefined) {
    this.#client = client
  }

  /** The turns of the conversation, oldest first. */
  get turns(): ReadonlyArray<Turn> {
    return this.#conversation.getState().turns
  }

  /** Replaces texts of the language. */
  get texts(): Partial<AskTexts> | undefined {
    return this.#texts
  }
  set texts(texts: Partial<AskTexts> | undefined) {
    this.#texts = texts
    this.#translate()
  }

  /** Asks, with the turns so far. */
  ask(question: string): Promise<void> {
    return this.#conversation.ask(question)
  }
  /** Stops the answer that is being written, and keeps its text so far. */
  stop(): void {
    this.#conversation.stop()
  }
  /** Forgets all turns. */
  reset(): void {
    this.#conversation.reset()
  }

  override focus(options?: FocusOptions): void {
    this.#field?.focus(options)
  }

  connectedCallback(): void {
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete this[name]
      Object.assign(this, { [name]: value })
    }
    if (this.shadowRoot === null) this.#build()
    this.#translate()
  }

  disconnectedCallback(): void {
    // An element that only moves is connected again at once.
    queueMicrotask(() => void (this.isConnected || this.#conversation.stop()))
  }

  attributeChangedCallback(): void {
    this.#translate()
  }

  #makeClient(): AskClient {
    const token = this.#token ?? this.getAttribute("token") ?? undefined
    const credentials = this.getAttribute("credentials") as RequestCredentials | null
    const baseUrl = new URL(this.getAttribute("src") ?? "/", document.baseURI)
    return createClient({ baseUrl, ...(token && { key: token }), ...(credentials && { credentials }) })
  }

  #build(): void {
    const root = this.attachShadow({ mode: "open", delegatesFocus: true })
    const style = new CSSStyleSheet()
    style.replaceSync(STYLE)
    root.adoptedStyleSheets = [style]
    this.#field = make("textarea", {
      id: "question",
      rows: "1",
      part: "field",
      maxlength: "32000",
      enterkeyhint: "send",
    })
    this.#label = make("label", { class: "hidden", for: "question" })
    this.#button = make("button", { type: "button", part: "button" })
    this.#turns = make("div", { part: "turns", role: "log" })
    this.#status = make("p", { class: "hidden", role: "status" })
    root.append(
      this.#turns,
      make("slot"),
      make("form", { part: "form" }, this.#label, this.#field, this.#button),
      this.#status,
    )
    this.#field.addEventListener("keydown", (event) => {
      // Enter also ends the composition of a word in some scripts.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
      event.preventDefault()
      this.#submit()
    })
    this.#button.addEventListener("click", () => (this.#isRunning() ? this.stop() : this.#submit()))
    this.#conversation.subscribe(() => {
      if (this.#isDue) return
      this.#isDue = true
      requestAnimationFrame(() => {
        this.#isDue = false
        this.#show()
      })
    })
    this.#show()
  }

  #submit(): void {
    const question = this.#field.value.trim()
    if (question === "") return
    this.#field.value = ""
    void this.ask(question)
    this.#show()
    this.#turns.lastElementChild?.scrollIntoView({ block: "nearest" })
  }

  #isRunning(): boolean {
    const { status } = this.#conversation.getState()
    return status === "submitted" || status === "streaming"
  }

  #textsOf(): AskTexts {
    const language = this.closest("[lang]")?.getAttribute("lang") ?? "en"
    const set = Object.entries({ placeholder: this.getAttribute("placeholder"), question: this.getAttribute("label") })
    return { ...textsIn(language), ...Object.fromEntries(set.filter(([, text]) => text !== null)), ...this.#texts }
  }

  #translate(): void {
    if (this.shadowRoot === null) return
    const { placeholder, question, answers } = this.#textsOf()
    this.#field.placeholder = placeholder
    this.#label.textContent = question
    this.#turns.setAttribute("aria-label", answers)
    this.#show()
  }

  #show(): void {
    const { turns } = this.#conversation.getState()
    const texts = this.#textsOf()
    const ids = new Set(turns.map(({ id }) => id))
    for (const [id, { root }] of this.#views) {
      if (ids.has(id)) continue
      root.remove()
      this.#views.delete(id)
    }
    for (const turn of turns) {
      let view = this.#views.get(turn.id)
      if (view === undefined) {
        view = new TurnView({
          texts: () => this.#textsOf(),
          open: (citation, number) => this.#tell("sightline-citation", { citation, number }),
          resume: () => void this.#conversation.resume(),
          ask: (question) => void this.#conversation.ask(question),
        })
        this.#views.set(turn.id, view)
        this.#turns.append(view.root)
      }
      view.show(turn)
    }
    const isRunning = this.#isRunning()
    this.#button.textContent = isRunning ? texts.stop : texts.ask
    this.#button.toggleAttribute("data-running", isRunning)
    const status = turns.at(-1)?.status
    const said =
      status === "submitted"
        ? texts.waiting
        : status === "done"
          ? texts.done
          : status === "stopped"
            ? texts.stopped
            : ""
    if (this.#status.textContent !== said) this.#status.textContent = said
    this.shadowRoot!.querySelector("slot")!.hidden = turns.length > 0
  }

  /** Dispatches an event; false if a listener prevented its default. */
  #tell(type: string, detail: unknown): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }))
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sightline-ask": SightlineAsk
  }
}

// `?.`: there is no registry on a server. A page may load the module twice.
if (globalThis.customElements?.get("sightline-ask") === undefined)
  globalThis.customElements?.define("sightline-ask", SightlineAsk)
