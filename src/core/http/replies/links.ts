/** The `Link` header of the next page: the same request with `cursor` instead of `page_index` (RFC 8288). */
export const nextLink = (base: string, requestUrl: string, cursor: string): string => {
  const url = new URL(requestUrl, "http://relative.invalid")
  url.searchParams.delete("page_index")
  url.searchParams.set("cursor", cursor)
  return `<${base}${url.pathname}${url.search}>; rel="next"`
}
