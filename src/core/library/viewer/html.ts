/** Markup that is inserted without escaping. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = Html | string | number | false | undefined | ReadonlyArray<Value>

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

const writeMarkup = (value: Value): string => {
  if (value === undefined || value === false) return ""
  if (value instanceof Html) return value.markup
  if (typeof value === "object") return value.map(writeMarkup).join("")
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/**
 * Escapes each value for text and quoted attributes, except `Html`. Not called `html`: the formatter would change the
 * white space of such a template, and the viewer shows white space.
 */
export const markup = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>) =>
  new Html(strings.reduce((before, string, index) => before + writeMarkup(values[index - 1]) + string))
