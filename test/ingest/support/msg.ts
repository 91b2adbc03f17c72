import { type Storage, writeCompoundFile } from "./compoundWriter.ts"

export interface MsgPerson {
  readonly name: string
  readonly address: string
}

export interface Msg {
  readonly subject?: string
  readonly from?: MsgPerson
  readonly to?: ReadonlyArray<MsgPerson>
  readonly cc?: ReadonlyArray<MsgPerson>
  readonly date?: Date
  readonly text?: string
  readonly html?: Uint8Array
  readonly page?: number
  /** The body in the encoding of `page`. */
  readonly ansi?: Uint8Array
  readonly attachments?: ReadonlyArray<
    { readonly name: string; readonly type: string; readonly bytes: Uint8Array; readonly contentId?: string } | Msg
  >
}

const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (letter) => letter.charCodeAt(0)).buffer)

type Fixed = readonly [id: number, type: number, value: bigint]

const table = (header: number, fixed: ReadonlyArray<Fixed>) => {
  const bytes = new Uint8Array(header + 16 * fixed.length)
  const view = new DataView(bytes.buffer)
  for (const [index, [id, type, value]] of fixed.entries()) {
    const at = header + 16 * index
    view.setUint16(at, type, true)
    view.setUint16(at + 2, id, true)
    view.setBigUint64(at + 8, value, true)
  }
  return bytes
}

const texts = (values: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([id, value]) =>
      value === undefined ? [] : [[`__substg1.0_${id}001F`, utf16(value)]],
    ),
  )

const storageOf = (msg: Msg, header: number): Storage => {
  const fixed: Array<Fixed> = []
  if (msg.date !== undefined)
    fixed.push([0x0039, 0x40, BigInt(msg.date.getTime()) * 10_000n + 116_444_736_000_000_000n])
  if (msg.page !== undefined) fixed.push([0x3ffd, 3, BigInt(msg.page)], [0x3fde, 3, BigInt(msg.page)])
  const people = [
    ...(msg.to ?? []).map((each) => [each, 1n] as const),
    ...(msg.cc ?? []).map((each) => [each, 2n] as const),
  ]
  const at = (index: number) => index.toString(16).toUpperCase().padStart(8, "0")
  return {
    "__properties_version1.0": table(header, fixed),
    ...texts({
      "0037": msg.subject,
      "0042": msg.from?.name,
      "5D02": msg.from?.address,
      "1000": msg.text,
      "001A": "IPM.Note",
    }),
    ...(msg.html !== undefined && { "__substg1.0_10130102": msg.html }),
    ...(msg.ansi !== undefined && { "__substg1.0_1000001E": msg.ansi }),
    "__nameid_version1.0": { "__substg1.0_00020102": new Uint8Array(16) },
    ...Object.fromEntries(
      people.map(([{ name, address }, type], index) => [
        `__recip_version1.0_#${at(index)}`,
        { "__properties_version1.0": table(8, [[0x0c15, 3, type]]), ...texts({ "3001": name, "39FE": address }) },
      ]),
    ),
    ...Object.fromEntries(
      (msg.attachments ?? []).map((attachment, index) => [
        `__attach_version1.0_#${at(index)}`,
        "bytes" in attachment
          ? {
              "__properties_version1.0": table(8, [[0x3705, 3, 1n]]),
              "__substg1.0_37010102": attachment.bytes,
              ...texts({ "3707": attachment.name, "370E": attachment.type, "3712": attachment.contentId }),
            }
          : {
              "__properties_version1.0": table(8, [[0x3705, 3, 5n]]),
              "__substg1.0_3701000D": storageOf(attachment, 24),
            },
      ]),
    ),
  }
}

/** Makes a message of Outlook. */
export const msg = (message: Msg): Uint8Array<ArrayBuffer> => writeCompoundFile(storageOf(message, 32))
