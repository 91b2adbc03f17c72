import PostalMime, { type Address, type Email } from "postal-mime"
import { type Attachment, LIMITS, type ReadDocument, type Warning } from "../../document.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import type { Mailbox } from "./mailbox.ts"
import { readMessage } from "./message.ts"
import { readHtmlText } from "../text/readHtml.ts"
import { limitAttachments } from "./attachments.ts"

const MAX_PARTS_DEEP = 50

const mailboxes = (addresses: ReadonlyArray<Address> = []): ReadonlyArray<Mailbox> =>
  addresses.flatMap(({ name, address, group }) => group ?? [{ name, address: address ?? "" }])

const EXTENSIONS: Readonly<Record<string, string>> = { "message/rfc822": "eml", "text/calendar": "ics" }

const readAttachments = ({ attachments }: Email): ReadonlyArray<Attachment & { readonly isInline: boolean }> =>
  attachments.map(({ filename, mimeType, content, disposition, related }, index) => ({
    fileName: filename ?? `attachment ${index + 1}.${EXTENSIONS[mimeType] ?? mimeType.split("/")[1] ?? "bin"}`,
    contentType: mimeType,
    bytes: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
    isInline: mimeType.startsWith("image/") && (related === true || disposition === "inline"),
  }))

const parse = async (bytes: Uint8Array): Promise<Email> => {
  try {
    // A copy: the bytes may be shared, which no decoder of text accepts.
    return await PostalMime.parse(bytes.slice(), { forceRfc822Attachments: true, maxNestingDepth: MAX_PARTS_DEEP })
  } catch (cause) {
    throw new UnreadableError(
      "unsafe",
      `The mail was not read: ${cause instanceof Error ? cause.message : "it is damaged"}.`,
    )
  }
}

const isEncrypted = ({ attachments }: Email) =>
  attachments.some(
    ({ mimeType, filename }) =>
      mimeType === "application/pgp-encrypted" ||
      (/^application\/(?:x-)?pkcs7-mime$/.test(mimeType) && filename === "smime.p7m"),
  )

/** Browsers write their name as the sender of pages that they save. */
const BROWSER = /^<?saved by /i

/** A web page with its pictures (MHTML), as browsers and wikis save it: nobody sent it to anybody. */
const isWebPage = ({ html = "", from, to = [], cc = [] }: Email) =>
  html.trim() !== "" && to.length + cc.length === 0 && (from === undefined || isBrowser(from))

const isBrowser = ({ name, address = "" }: Address) => BROWSER.test(name) || BROWSER.test(address)

/** Reads a stored mail (RFC 5322), or a web page that is stored like one. Throws `UnreadableError`. */
export const readEml = async (bytes: Uint8Array): Promise<ReadDocument> => {
  if (bytes.length === 0) throw new UnreadableError("empty", "The file is empty. Upload it again.")
  const email = await parse(bytes)
  if (isWebPage(email)) return readHtmlText(email.html ?? "")
  const [from] = mailboxes(email.from === undefined ? [] : [email.from])
  if (from === undefined && email.subject === undefined && email.date === undefined) {
    throw new UnreadableError("unsupported", "The file has no head of a mail. Upload it under the type that it has.")
  }
  const { text = "", html = "" } = email
  if (text.trim() === "" && html.trim() === "" && isEncrypted(email)) {
    throw new UnreadableError("encrypted", "The mail is encrypted. Save it decrypted and upload that copy.")
  }
  const warnings: Array<Warning> = []
  return readMessage(
    {
      subject: email.subject ?? "",
      from,
      to: mailboxes(email.to),
      cc: mailboxes(email.cc),
      date: email.date,
      text: text.slice(0, LIMITS.characters + 1),
      html: html.slice(0, LIMITS.characters + 1),
      attachments: limitAttachments(readAttachments(email), warnings),
    },
    warnings,
  )
}
