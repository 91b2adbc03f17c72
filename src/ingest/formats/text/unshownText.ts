/** Longer style sheets are of web sites, which neither strike out nor hide what a reader wants. */
const MAX_LENGTH = 500_000

/** Why text does not count: its author took it back, or no reader sees it. */
export type Unshown = "struck" | "hidden"

const STRUCK: ReadonlySet<string> = new Set(["s", "del", "strike"])
/** A value ends at a semicolon and holds no colon; stopping at both keeps a style of many names linear. */
const STRIKES = /text-decoration(?:-line)?\s*:[^;:]*line-through/i
const HIDES = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all)/i
const SHOWS = /(?:^|[;\s])(?:display\s*:(?!\s*none)|visibility\s*:\s*visible)/i

/** One class, of any element or of one kind. */
const CLASS = /^[a-z\d]*\.([\w-]{1,100})$/i
const CLASSES = /\.([\w-]{1,100})/g

/** The classes that alone strike out or hide an element. */
export type UnshownClasses = ReadonlyMap<string, Unshown>

const judge = (style: string): Unshown | undefined =>
  STRIKES.test(style) ? "struck" : HIDES.test(style) ? "hidden" : undefined

/** Why the text of an element does not count, if it does not. */
export const findUnshown = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  classes: UnshownClasses,
): Unshown | undefined => {
  if (STRUCK.has(name)) return "struck"
  if ("hidden" in attributes) return "hidden"
  const { style = "", class: names = "" } = attributes
  const own = judge(style)
  if (own !== undefined || classes.size === 0 || SHOWS.test(style)) return own
  return names
    .split(/\s+/)
    .flatMap((each) => classes.get(each) ?? [])
    .at(0)
}

/** The style sheets inside a page, without comments. */
const readSheets = (html: string): string => {
  let css = ""
  const lower = html.toLowerCase()
  for (let at = lower.indexOf("<style"); at >= 0 && css.length <= MAX_LENGTH; at = lower.indexOf("<style", at)) {
    const start = lower.indexOf(">", at)
    const end = lower.indexOf("</style", at)
    if (start < 0 || end < start) break
    css += `${html.slice(start + 1, end)}\n`
    at = end
  }
  return css.slice(0, MAX_LENGTH).replaceAll(/\/\*[^*]{0,10000}\*\/|<!--|-->/g, "")
}

/**
 * Finds the classes that strike their text out, as Google Docs and others write it, or hide it. Rules for print or for narrow screens
 * do not count, nor do classes that another rule shows, as the open one of several tabs.
 */
export const findUnshownClasses = (html: string): UnshownClasses => {
  const classes = new Map<string, Unshown>()
  const shown = new Set<string>()
  const readRule = (selector: string, body: string) => {
    const why = judge(body)
    for (const each of why === undefined ? [] : selector.split(",")) {
      const name = CLASS.exec(each.trim())?.[1]
      if (name !== undefined) classes.set(name, why!)
    }
    if (SHOWS.test(body)) for (const [, name] of selector.matchAll(CLASSES)) shown.add(name!)
  }
  const css = readSheets(html)
  let depth = 0
  let from = 0
  let selector = ""
  for (let at = 0; at < css.length; at++) {
    if (css[at] === "{") {
      if (++depth === 1) selector = css.slice(from, at)
      from = at + 1
    } else if (css[at] === "}") {
      if (depth === 1 && !selector.includes("@")) readRule(selector, css.slice(from, at))
      depth = Math.max(depth - 1, 0)
      from = at + 1
    } else if (css[at] === ";" && depth === 0) from = at + 1
  }
  for (const name of shown) if (classes.get(name) === "hidden") classes.delete(name)
  return classes
}
