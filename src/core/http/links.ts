import { baseOf } from "../Settings.ts"

/**
 * `Link` to the next page: the same request with `cursor` in place of `page_index`. Absolute where the public address is
 * known, with the path it has, else relative to the host (RFC 8288).
 */
export const nextLink = (publicUrl: string | undefined, requestUrl: string, cursor: string): string => {
  const url = new URL(requestUrl, "http://relative.invalid")
  url.searchParams.delete("page_index")
  url.searchParams.set("cursor", cursor)
  return `<${baseOf(publicUrl)}${url.pathname}${url.search}>; rel="next"`
}
