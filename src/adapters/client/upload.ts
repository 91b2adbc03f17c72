import { Body, type Content } from "./Body.ts"
import { CONTENT_TYPES } from "./endpoints.ts"
import type { CallOptions, Progress } from "./options.ts"
import { randomKey } from "./randomKey.ts"
import type { DistributiveOmit, Input } from "./types.ts"

export interface UploadOptions extends CallOptions {
  /** Runs as the body is sent. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

interface UploadedFile {
  /** The content, or a public address that the server downloads. */
  readonly file: Content | URL
  /** The name that people know it by. By default, the file's own name. */
  readonly file_name?: string | undefined
  /** The MIME type. By default, the file's own, or the one of the extension. */
  readonly content_type?: string | undefined
}

type Target<E extends "uploadToLibrary" | "uploadToDeal"> = DistributiveOmit<
  Input<"library", E>,
  "file_name" | "content_type" | "file_url" | "file_base64"
>

/** A document about a competitor. */
export type LibraryUpload = UploadedFile & Target<"uploadToLibrary">
/** A document of a deal. */
export type DealUpload = UploadedFile & Target<"uploadToDeal">

/** The body of an upload: multipart, or JSON if the server is to download the file. */
export const uploadBody = (upload: LibraryUpload | DealUpload, onProgress: UploadOptions["onProgress"]) => {
  const { file, ...given } = upload
  const file_name = given.file_name ?? nameOf(file)
  const content_type = given.content_type ?? (typeOf(file) || CONTENT_TYPES[extensionOf(file_name)])
  const fields = { ...given, file_name, content_type }
  return file instanceof URL
    ? { json: { ...fields, file_url: file.href } }
    : { body: multipart(fields, file, content_type, onProgress) }
}

const nameOf = (file: Content | URL) => {
  if (typeof File === "function" && file instanceof File) return file.name
  return file instanceof URL ? decodeURIComponent(file.pathname.slice(file.pathname.lastIndexOf("/") + 1)) : undefined
}

/** Without parameters, which browsers add to the type of text. */
const typeOf = (file: Content | URL) => (file instanceof Blob ? file.type.split(";", 1)[0] : undefined)

const extensionOf = (name = "") => name.slice(name.lastIndexOf(".") + 1).toLowerCase()

const multipart = (
  fields: Readonly<Record<string, unknown>>,
  file: Content,
  type = "application/octet-stream",
  onProgress?: (progress: Progress) => void,
) => {
  const boundary = `sightline-${randomKey()}`
  const part = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const head = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${part(quote(name), "")}${String(value)}\r\n`)
    .join("")
  const opening = part(
    "file",
    `; filename="${quote(String(fields["file_name"] ?? "file"))}"\r\nContent-Type: ${quote(type)}`,
  )
  return new Body(
    `multipart/form-data; boundary=${boundary}`,
    [head + opening, file, `\r\n--${boundary}--\r\n`],
    onProgress,
  )
}

/** Escapes text in a header of a part, as browsers do. */
const quote = (text: string) => text.replaceAll(/["\r\n]/g, (character) => ESCAPES[character] ?? "")
const ESCAPES: Readonly<Record<string, string>> = { '"': "%22", "\r": "%0D", "\n": "%0A" }
