export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** Reads "Ben Smith <ben@example.com>", "Ben Smith [mailto:ben@example.com]", a name or an address. */
export const readMailbox = (text: string): Mailbox => {
  const found = /[<[](?:mailto:)?(?=[^<>[\]\s@]+@[^<>[\]\s])([^<>[\]\s]+)[>\]]/.exec(text)
  if (found !== null) return { name: unquote(text.slice(0, found.index)), address: found[1]! }
  const bare = text.trim()
  return !/\s/.test(bare) && /.@./.test(bare) ? { name: "", address: bare } : { name: unquote(bare), address: "" }
}

const unquote = (name: string) => name.replaceAll(/^["'\s*]+|(?<!["'\s*])["'\s*]+$/g, "")

/** The label of a sender: "Ben Smith <ben@example.com>", or the part of it that there is. */
export const formatMailbox = ({ name, address }: Mailbox): string => {
  const clean = name.replaceAll(/[<>\s]+/g, " ").trim()
  if (address === "" || clean === address) return clean === "" ? address : clean
  return clean === "" ? address : `${clean} <${address}>`
}
