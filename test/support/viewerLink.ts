import { unpack, unseal } from "../../src/core/signing/token.ts"

/** What a viewer link opens, and the characters that it marks there, as `text.slice(start, end)` takes them. */
export const viewerLink = (url: string) => {
  const parts = unseal(new URL(url, "http://host").pathname.split("/").at(-1) ?? "")
  const link = parts === undefined ? undefined : unpack(parts.content)
  if (link?.passage === undefined) throw new Error(`${url} marks no passage`)
  return { target: link.target, ...link.passage }
}
