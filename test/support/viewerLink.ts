import { unpack, unseal } from "../../src/core/signing/token.ts"

/** The target of a viewer link, and the characters that it highlights, as arguments of `text.slice(start, end)`. */
export const viewerLink = (url: string) => {
  const parts = unseal(new URL(url, "http://host").pathname.split("/").at(-1) ?? "")
  const link = parts === undefined ? undefined : unpack(parts.content)
  if (link?.passage === undefined) throw new Error(`${url} marks no passage`)
  return { target: link.target, ...link.passage }
}
