/** Markup that may stand in a page as it is. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = Html | string | number | false | undefined | ReadonlyArray<Value>

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

const markupOf = (value: Value): string => {
  if (value === undefined || value === false) return ""
  if (value instanceof Html) return value.markup
  if (typeof value === "object") return value.map(markupOf).join("")
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/**
 * Markup around values. What is not `Html` itself is escaped, for text and for quoted attributes alike. It is not called
 * `html`, for a formatter would move the white space, and white space is shown.
 */
export const markup = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>) =>
  new Html(strings.reduce((before, string, index) => before + markupOf(values[index - 1]) + string))
