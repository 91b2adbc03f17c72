import { Buffer } from "node:buffer"
import type { Message } from "./message.ts"
import type { Mailbox } from "./mailbox.ts"

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll(/.{76}/g, "$&\r\n")
/** No line ends: a header is one line. */
const encoded = (text: string) => `=?utf-8?b?${Buffer.from(text.replaceAll(/[\r\n\0]+/g, " ")).toString("base64")}?=`
const mailbox = ({ name, address }: Mailbox) =>
  `${name === "" ? "" : `${encoded(name)} `}<${address.replaceAll(/[\s<>]/g, "")}>`

/** Writes a message that has no file of its own, such as one inside a message of Outlook. */
export const writeEml = ({ subject, from, to, cc, date, text, html, attachments }: Message): Uint8Array => {
  // Its parts are base64, which has no such line.
  const boundary = "--message-part--"
  const part = (type: string, bytes: Uint8Array, more = "") =>
    `--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${more}\r\n${base64(bytes)}\r\n`
  const heads = [
    ["From", from === undefined ? "" : mailbox(from)],
    ["To", to.map(mailbox).join(", ")],
    ["Cc", cc.map(mailbox).join(", ")],
    ["Subject", subject === "" ? "" : encoded(subject)],
    ["Date", date ?? ""],
    ["MIME-Version", "1.0"],
    ["Content-Type", `multipart/mixed; boundary="${boundary}"`],
  ].filter(([, value]) => value !== "")
  const body =
    text.trim() === "" && html !== ""
      ? part("text/html; charset=utf-8", Buffer.from(html))
      : part("text/plain; charset=utf-8", Buffer.from(text))
  const files = attachments.map(({ fileName, contentType, bytes }) =>
    part(
      /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : "application/octet-stream",
      bytes,
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(fileName.toWellFormed())}\r\n`,
    ),
  )
  return Buffer.from(
    `${heads.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}${files.join("")}--${boundary}--\r\n`,
  )
}
