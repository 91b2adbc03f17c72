/** The forms of an owner in a text: `Anna Berg`, `Berg, Anna`, `anna.berg@acme.example`, or `Anna Berg (anna.berg@acme.example)`. */
export interface Person {
  readonly email?: string
  /** The likeliest first; a new owner gets the first. */
  readonly names: ReadonlyArray<string>
}

/** At most 254 characters, as in RFC 5321. */
const EMAIL = /^(?=.{1,254}$)[^\s@,;()<>[\]]+@[^\s@,;()<>[\]]+\.[^\s@,;()<>[\]]+$/
const NAME_AND_EMAIL = /^(.*\S)\s*(?:\(([^()]+)\)|<([^<>]+)>|\[([^[\]]+)\])$/s
const LAST_FIRST = /^([^,]+),\s*([^,\s][^,]*)$/
const FIRST_LAST = /^(.+)\s(\S+)$/s

/** Both orders of a name. */
const listOrders = (name: string): ReadonlyArray<string> => {
  const [, last, first] = LAST_FIRST.exec(name) ?? []
  if (last !== undefined) return [name, `${first!.trim()} ${last.trim()}`]
  const [, given, family] = FIRST_LAST.exec(name) ?? []
  return given === undefined || name.includes(",") ? [name] : [name, `${family!}, ${given.trim()}`]
}

export const readPerson = (text: string): Person => {
  if (EMAIL.test(text)) return { email: text, names: [text] }
  const [, name, ...emails] = NAME_AND_EMAIL.exec(text) ?? []
  const email = emails.find((each) => each !== undefined)?.trim()
  if (name === undefined || email === undefined || !EMAIL.test(email)) return { names: listOrders(text) }
  return { email, names: listOrders(name) }
}
