/** Response headers for a file of a user: the browser saves it and, if it is opened anyway, runs none of its code. */
export const attachment = ({ file_name }: { readonly file_name: string }) => ({
  "content-disposition": `attachment; filename="${toAscii(file_name)}"; filename*=UTF-8''${encodeExtended(file_name)}`,
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
})

/** The fallback for clients without `filename*` (RFC 6266). */
const toAscii = (name: string) => name.replaceAll(/[^ !#$&-[\]-~]/g, "_")

/** RFC 8187 leaves fewer characters unescaped than `encodeURIComponent`. */
const encodeExtended = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
