/** Longer style sheets are of web sites, which strike nothing out. */
const MAX_LENGTH = 500_000

/** Text that a declaration strikes out. */
export const STRIKES = /text-decoration(?:-line)?\s*:[^;]*line-through/i

/** One class, of any element or of one kind. */
const CLASS = /^[a-z\d]*\.([\w-]{1,100})$/i

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

/** Finds the classes that strike their text out, as Google Docs and others write it. Rules for print or for narrow screens do not count. */
export const findStruckClasses = (html: string): ReadonlySet<string> => {
  const classes = new Set<string>()
  const css = readSheets(html)
  let depth = 0
  let from = 0
  let selector = ""
  for (let at = 0; at < css.length; at++) {
    if (css[at] === "{") {
      if (++depth === 1) selector = css.slice(from, at)
      from = at + 1
    } else if (css[at] === "}") {
      if (depth === 1 && !selector.includes("@") && STRIKES.test(css.slice(from, at)))
        for (const each of selector.split(",")) {
          const name = CLASS.exec(each.trim())?.[1]
          if (name !== undefined) classes.add(name)
        }
      depth = Math.max(depth - 1, 0)
      from = at + 1
    } else if (css[at] === ";" && depth === 0) from = at + 1
  }
  return classes
}
