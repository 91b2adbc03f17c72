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
  /** The address of an `a`: http, https or relative. */
  readonly href?: string
  /** The number of the citation of a `mark`, from 1. */
  readonly number?: number
  /** The first number of an `ol`. */
  readonly start?: number
  /** The alignment of a `th` or `td`. */
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
