/** Headers under which an original leaves: it is saved, not opened, and should it be opened after all, nothing of it runs. */
export const attachment = ({ file_name }: { readonly file_name: string }) => ({
  "content-disposition": `attachment; filename="${asciiOf(file_name)}"; filename*=UTF-8''${extended(file_name)}`,
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
})

/** For those who do not know `filename*` (RFC 6266). */
const asciiOf = (name: string) => name.replaceAll(/[^ !#$&-[\]-~]/g, "_")

/** RFC 8187 leaves fewer characters as they are than `encodeURIComponent` does. */
const extended = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
