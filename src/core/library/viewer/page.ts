import type { Document } from "../contract.ts"
import type { Lost } from "./anchor.ts"
import { type Html, markup } from "./html.ts"
import { lostNotice } from "./lostNotice.ts"
import type { PartRow } from "./part.ts"
import { writeText } from "./text.ts"
import type { Cited } from "./picture.ts"

/** `media`: a browser can play it. `newer`: the address of the version that replaces it. `lost`: why the cited passage is not marked. */
type Viewed = Omit<Document, "url"> & {
  readonly media: boolean
  readonly newer: string | undefined
  readonly lost: Lost | undefined
}

/** The body of the page that shows a document; `part` is undefined until the document has been read. */
export const documentPage = (
  document: Viewed,
  part: PartRow | undefined,
  cited: Cited | undefined,
  token: string,
): Html =>
  markup`<a class="skip" href="#text">Skip to the text</a>
<header><h1>${document.file_name}</h1>${facts(document)}
${document.size_bytes !== null && markup`<p class="actions"><a class="button" href="${originalLink(token, true)}" download>Download the original</a></p>`}</header>
<main id="text" tabindex="-1">${newer(document)}${lostNotice(document.lost)}${state(document, part !== undefined)}${part !== undefined && warnings(document)}${player(document, token)}
${part !== undefined && parts(part, token, "Parts of the document")}
${part !== undefined && markup`<article lang="" aria-label="The document's text">${writeText(part.elements ?? [], cited, token)}</article>`}
${part !== undefined && parts(part, token, "Parts of the document, below the text")}</main>`

const facts = ({ content_type, size_bytes, created_at, status }: Viewed) => {
  const added = markup`added <time datetime="${created_at}">${created_at.slice(0, 10)}</time>`
  return markup`<p class="facts"><span>${content_type}</span>${size_bytes !== null && markup`<span>${size(size_bytes)}</span>`}<span>${added}</span>${status !== "ready" && markup`<span class="${status}">${status}</span>`}</p>`
}

const size = (bytes: number) => {
  if (bytes < 1024) return `${bytes} bytes`
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KiB"] : [bytes / 1024 / 1024, "MiB"]
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** Relative, so that it works under any mount path. */
const originalLink = (token: string, download: boolean) => `${token}/original${download ? "?download=1" : ""}`

const state = ({ status, failure_reason }: Viewed, read: boolean) => {
  const before = read ? " This is the text of the previous reading." : ""
  if (status === "processing") {
    return markup`<div class="notice" role="status"><h2>Still processing</h2><p>Reload the page in a moment.${before}</p></div>`
  }
  if (status !== "failed") return undefined
  const reason = failure_reason ?? "the reason is unknown; process it again"
  return markup`<div class="notice failed" role="status"><h2>This document could not be read</h2><p>${reason}${before !== "" && "."}${before}</p></div>`
}

const newer = ({ newer, version }: Viewed) =>
  newer !== undefined &&
  markup`<div class="notice" role="status"><h2>An earlier version</h2><p>This is version ${version}. <a href="${newer}">Open the later version</a></p></div>`

const warnings = ({ warnings }: Viewed) => {
  if (warnings.length === 0) return undefined
  const items = warnings.map(({ message }) => markup`<li>${message}</li>`)
  return markup`<div class="notice"><h2>About this reading</h2><ul>${items}</ul></div>`
}

const player = (document: Viewed, token: string) => {
  if (document.size_bytes === null || !document.media) return undefined
  const common = markup`controls preload="metadata" aria-label="${document.file_name}" src="${originalLink(token, false)}"`
  return document.content_type.startsWith("audio/")
    ? markup`<div class="player"><audio ${common}></audio></div>`
    : markup`<div class="player"><video playsinline ${common}></video></div>`
}

const parts = ({ part, parts: count }: PartRow, token: string, name: string) => {
  if (count <= 1) return undefined
  const to = (number: number, text: string, rel: string) =>
    number >= 1 && number <= count
      ? markup`<a rel="${rel}" href="${`${token}?part=${number}`}">${text}</a>`
      : markup`<span></span>`
  const [before, after] = [to(part, "← Previous part", "prev"), to(part + 2, "Next part →", "next")]
  return markup`<nav class="parts" aria-label="${name}">${before}<span>Part ${part + 1} of ${count}</span>${after}</nav>`
}
