/** The elements that Markdown becomes. `mark` is the number of a citation. */
export type Tag =
  | "p"
  | "h3"
  | "h4"
  | "h5"
  | "ul"
  | "ol"
  | "li"
  | "table"
  | "thead"
  | "tbody"
  | "tr"
  | "th"
  | "td"
  | "pre"
  | "code"
  | "blockquote"
  | "hr"
  | "br"
  | "strong"
  | "em"
  | "del"
  | "a"
  | "mark"

/** An element of the text. It has no attribute that runs code: `href` is checked, and there is no HTML. */
export interface AnswerElement {
  readonly tag: Tag
  readonly children: ReadonlyArray<AnswerNode>
  /** Of `a`: http, https, mailto or relative. */
  readonly href?: string
  /** Of `mark`: the citation's number, from 1. */
  readonly number?: number
  /** Of `ol`: the first number. */
  readonly start?: number
  /** Of `th` and `td`. */
  readonly align?: "left" | "center" | "right"
}

export type AnswerNode = string | AnswerElement

export const element = (
  tag: Tag,
  children: ReadonlyArray<AnswerNode> = [],
  more: Partial<AnswerElement> = {},
): AnswerElement => ({
  tag,
  children,
  ...more,
})
