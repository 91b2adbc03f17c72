import { findIn } from "../../src/core/library/viewer/passages.ts"
import { unpack, unseal } from "../../src/core/signing/token.ts"

/** The target of a viewer link, and its passage. */
export const viewerLink = (url: string) => {
  const parts = unseal(new URL(url, "http://host").pathname.split("/").at(-1) ?? "")
  const link = parts === undefined ? undefined : unpack(parts.content)
  if (link?.passage === undefined) throw new Error(`${url} marks no passage`)
  return { target: link.target, passage: link.passage }
}

/** The characters of a document's text that a viewer link highlights. */
export const markedIn = (url: string, text: string) => {
  const found = findIn([{ text, start: 0 }], viewerLink(url).passage)
  if (typeof found !== "object") throw new Error(`${url}: the passage is ${found}`)
  return text.slice(found.start, found.end)
}
