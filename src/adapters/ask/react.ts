import {
  type ComponentType,
  createElement,
  Fragment,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react"
import { Conversation } from "./Conversation.ts"
import { safeHref } from "./href.ts"
import { parseMarkdown } from "./markdown.ts"
import type { AnswerNode, Tag } from "./nodes.ts"
import type { Citation, ConversationOptions, ConversationState } from "./types.ts"

export { Conversation } from "./Conversation.ts"
export type { AskClient, AskEvent, Citation, ConversationOptions, ConversationState, Message, Turn } from "./types.ts"

/** A conversation, as a component shows it. The functions keep their identity. */
export interface UseAnswer extends ConversationState {
  /** Asks, with the turns so far: the first question as well as a follow-up. Stops an answer that is being written. */
  readonly ask: (question: string) => Promise<void>
  /** Stops the answer that is being written, and keeps its text so far. */
  readonly stop: () => void
  /** Continues the last turn if it is not done; asks again if the answer itself failed. */
  readonly resume: () => Promise<void>
  /** Forgets all turns. */
  readonly reset: () => void
}

/** Asks Sightline from a component. Unmounting stops the answer, unless a `Conversation` that the host keeps is given. */
export const useAnswer = (source: ConversationOptions | Conversation): UseAnswer => {
  const latest = useRef(source)
  useEffect(() => {
    latest.current = source
  })
  const [own] = useState(() => new Conversation(() => latest.current as ConversationOptions))
  const conversation = source instanceof Conversation ? source : own
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState, conversation.getState)
  useEffect(() => own.stop, [own])
  const { ask, stop, resume, reset } = conversation
  return { ...state, ask, stop, resume, reset }
}

/** The number of a citation in the text. */
export interface MarkProps {
  readonly number: number
  readonly citation: Citation
}

export interface PartProps {
  readonly children?: ReactNode | undefined
  /** The address of an `a`: http, https or relative. */
  readonly href?: string | undefined
  /** The first number of an `ol`. */
  readonly start?: number | undefined
  /** `col`, on a `th`. */
  readonly scope?: string | undefined
  /** `left`, `center` or `right`, on `th` and `td`. */
  readonly "data-align"?: string | undefined
}

/** Replaces elements of the text, as `{ table: Table, mark: Mark, h3: "h4" }`. */
export type AnswerComponents = {
  readonly [T in Exclude<Tag, "mark">]?: string | ComponentType<PartProps> | undefined
} & { readonly mark?: ComponentType<MarkProps> | undefined }

export interface AnswerTextProps {
  readonly text: string
  /** The citations that marks number. */
  readonly citations?: ReadonlyArray<Citation> | undefined
  readonly components?: AnswerComponents | undefined
}

const create = createElement as (
  type: string | ComponentType<any> | typeof Fragment,
  props: object | null,
  ...children: ReadonlyArray<ReactNode>
) => ReactElement

/** The elements of an answer's Markdown. HTML in it is text. */
export const AnswerText = ({ text, citations = [], components = {} }: AnswerTextProps): ReactElement => {
  const draw = (node: AnswerNode): ReactNode => {
    if (typeof node === "string") return node
    const { tag, children, number = 0, align, href, start } = node
    if (tag === "mark") return create(components.mark ?? AnswerMark, { number, citation: citations[number - 1] })
    const props = {
      ...(href !== undefined && { href }),
      ...(start !== undefined && { start }),
      ...(tag === "th" && { scope: "col" }),
      ...(align !== undefined && { "data-align": align }),
    }
    return create(components[tag] ?? tag, props, ...children.map(draw))
  }
  return create(Fragment, null, ...parseMarkdown(text, citations.length).map(draw))
}

/** A mark that opens the cited item in another tab. */
export const AnswerMark = ({ number, citation }: MarkProps): ReactElement =>
  create("sup", null, sourceLink(citation, `[${number}]`, { title: citation.excerpt }))

const sourceLink = ({ url, document_name }: Citation, text: string, more: object = {}) =>
  create(
    "a",
    { href: safeHref(url), target: "_blank", rel: "noopener", "aria-label": `${text} ${document_name}`, ...more },
    text,
  )

export interface AnswerCitationsProps {
  readonly citations: ReadonlyArray<Citation>
  /** Draws one citation; by default its name, which opens it, and its excerpt. */
  readonly renderItem?: ((citation: Citation, number: number) => ReactNode) | undefined
}

/** The citations of an answer as a list, numbered as its marks. */
export const AnswerCitations = ({ citations, renderItem = drawCitation }: AnswerCitationsProps): ReactElement =>
  create(
    "ol",
    null,
    ...citations.map((citation, index) => create("li", { key: citation.url }, renderItem(citation, index + 1))),
  )

const drawCitation = (citation: Citation): ReactNode =>
  create(
    Fragment,
    null,
    sourceLink(citation, citation.document_name, { "aria-label": undefined }),
    " ",
    create("q", null, citation.excerpt),
  )
