import type { Attachment, ReadDocument, Warning } from "../../document.ts"
import { type CompoundEntry, openCompoundFile } from "../../safety/compoundFile.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { limitAttachments } from "./attachments.ts"
import type { Mailbox } from "./mailbox.ts"
import { type Message, readMessage } from "./message.ts"
import { type Properties, readProperties } from "./msgProperties.ts"
import { writeEml } from "./writeEml.ts"

/** Property ids (MS-OXPROPS). */
const ID = {
  subject: 0x0037,
  submitted: 0x0039,
  delivered: 0x0e06,
  body: 0x1000,
  html: 0x1013,
  displayName: 0x3001,
  address: 0x3003,
  smtp: 0x39fe,
  recipientType: 0x0c15,
  attachmentData: 0x3701,
  attachmentName: 0x3707,
  shortName: 0x3704,
  mimeType: 0x370e,
  contentId: 0x3712,
  hidden: 0x7ffe,
} as const
/** The sender, and for whom the mail was sent, which is what people see. */
const SENDERS = [
  { name: 0x0042, smtp: 0x5d02, address: 0x0065 },
  { name: 0x0c1a, smtp: 0x5d01, address: 0x0c1f },
] as const
/** Headers of a root, an embedded message, and a recipient or attachment, in bytes. */
const PROPERTY_HEADER = { root: 32, embedded: 24, part: 8 }
const EMBEDDED = "__substg1.0_3701000D"
/** Messages inside messages. Each becomes an attachment of the one around it. */
const MAX_EMBEDDED = 3
const CC = 2
const BCC = 3

/** An address of the Internet: others are paths in the sender's own directory. */
const findAddress = (...texts: ReadonlyArray<string>) =>
  texts.find((text) => text.includes("@") && !text.startsWith("/")) ?? ""

const readMailbox = (
  properties: Properties,
  ids: { readonly name: number; readonly smtp: number; readonly address: number },
): Mailbox => ({
  name: properties.text(ids.name),
  address: findAddress(properties.text(ids.smtp), properties.text(ids.address), properties.text(ids.name)),
})

const readParts = (storage: CompoundEntry, prefix: string) =>
  [...storage.children]
    .filter(([name]) => name.startsWith(prefix))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => entry)

const readAttachment = (
  entry: CompoundEntry,
  index: number,
  page: string,
  depth: number,
  warnings: Array<Warning>,
): (Attachment & { readonly isInline: boolean }) | undefined => {
  const properties = readProperties(entry, PROPERTY_HEADER.part, page)
  const embedded = entry.children.get(EMBEDDED)
  const name = properties.text(ID.attachmentName) || properties.text(ID.displayName) || properties.text(ID.shortName)
  if (embedded !== undefined) {
    if (depth >= MAX_EMBEDDED || embedded.children.size === 0) return undefined
    const message = readOneMessage(embedded, PROPERTY_HEADER.embedded, depth + 1, warnings)
    return {
      fileName: `${message.subject || name || "message"}.eml`,
      contentType: "message/rfc822",
      bytes: writeEml(message),
      isInline: false,
    }
  }
  const contentType = properties.text(ID.mimeType).toLowerCase()
  const isInline =
    properties.number(ID.hidden) === 1 || (contentType.startsWith("image/") && properties.text(ID.contentId) !== "")
  const bytes = properties.bytes(ID.attachmentData)
  return {
    fileName: name || `attachment ${index + 1}`,
    contentType: contentType || "application/octet-stream",
    bytes,
    isInline,
  }
}

const readOneMessage = (storage: CompoundEntry, header: number, depth: number, warnings: Array<Warning>): Message => {
  const properties = readProperties(storage, header)
  const recipients = readParts(storage, "__recip_version1.0_").map((entry) => {
    const recipient = readProperties(entry, PROPERTY_HEADER.part, properties.page)
    const mailbox = readMailbox(recipient, { name: ID.displayName, smtp: ID.smtp, address: ID.address })
    return { mailbox, type: recipient.number(ID.recipientType) }
  })
  const senders = SENDERS.map((ids) => readMailbox(properties, ids))
  const attachments = readParts(storage, "__attach_version1.0_").flatMap(
    (entry, index) => readAttachment(entry, index, properties.page, depth, warnings) ?? [],
  )
  return {
    subject: properties.text(ID.subject),
    from: senders.find(({ address }) => address !== "") ?? senders.find(({ name }) => name !== ""),
    to: recipients.filter(({ type }) => type !== CC && type !== BCC).map(({ mailbox }) => mailbox),
    cc: recipients.filter(({ type }) => type === CC).map(({ mailbox }) => mailbox),
    date: properties.time(ID.submitted) ?? properties.time(ID.delivered),
    text: properties.text(ID.body),
    html: properties.html(ID.html),
    attachments: limitAttachments(attachments, warnings),
  }
}

/** Reads a message of Outlook (MS-OXMSG). Throws `UnreadableError`. */
export const readMsg = async (bytes: Uint8Array): Promise<ReadDocument> => {
  if (bytes.length === 0) throw new UnreadableError("empty", "The file is empty. Upload it again.")
  const root = openCompoundFile(bytes)
  if (!root.children.has("__properties_version1.0")) {
    throw new UnreadableError(
      "unsupported",
      "The file is not a message of Outlook. Upload it under the type that it has.",
    )
  }
  const warnings: Array<Warning> = []
  return readMessage(readOneMessage(root, PROPERTY_HEADER.root, 0, warnings), warnings)
}
