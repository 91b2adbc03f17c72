import type { Side } from "../finding.ts"

/** Decides the side of a speaker's label. */
export type SideOf = (label: string | undefined) => Side

/** The companies and people of a deal. */
export interface Parties {
  readonly ourNames: ReadonlyArray<string>
  readonly ourDomains: ReadonlyArray<string>
  /** The deal's owner and collaborators. */
  readonly ourPeople: ReadonlyArray<string>
  readonly client: string | null
  readonly clientDomain: string | null
  readonly deal: string
}

/** Lower case, without accents and punctuation, with a space on both ends, so that names match at words. */
const fold = (text: string) =>
  ` ${text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `

const BUYER = /^(?:the )?(?:buyer|customer|client|prospect)(?: \d+)?$/
const SELLER = /^(?:the )?(?:seller|sales|sales rep|rep|account executive|ae|vendor|us|we)(?: \d+)?$/

/** A company beside a person: "Dana Reyes (Hartwell)", "Dana Reyes | Hartwell", "Dana Reyes, Hartwell", "Dana Reyes @ Hartwell". */
const COMPANY = /\(([^()]+)\)\s*$|[|@/,](?=[^|@/,()]+$)\s*([^|@/,()]+)$|\s[-–—](?=\s[^()]+$)\s+([^()]+)$/u

/** In UTF-16 units. A longer label is no name. */
const MAX_LABEL_LENGTH = 500

const DOMAIN = /@([\p{L}\p{N}.-]+\.\p{L}{2,})/gu

const isOf = (domain: string, own: string) => domain === own || domain.endsWith(`.${own}`)

/** A name without the form of the company, such as GmbH. */
const FORM = /\s(?:inc|llc|ltd|limited|gmbh|ag|sa|sas|bv|nv|plc|corp|co|company)(?=\s*$)/

const namesIn = (names: ReadonlyArray<string>) =>
  names.map((name) => fold(name).replace(FORM, "")).filter((name) => name.trim().length >= 2)

/**
 * Decides the side of each label of a deal's documents. Labels that match the workspace's own names, domains or people are the
 * seller; those with the client's name or domain are the buyer. A company that is neither is the seller only if the workspace has
 * not set its own names: then nothing else says which one we are. Everyone else is unknown.
 */
export const makeSides = (parties: Parties): SideOf => {
  const ours = namesIn(parties.ourNames)
  const people = new Set(parties.ourPeople.map(fold))
  const theirs = namesIn(parties.client === null ? [] : [parties.client])
  const deal = fold(parties.deal)
  const isSet = parties.ourNames.length > 0 || parties.ourDomains.length > 0
  const known = new Map<string, Side>()

  /** The first word of a client's name alone is enough in a label: "Hartwell" for "Hartwell Logistics". */
  const isTheirs = (text: string) =>
    theirs.some((name) => text.includes(name)) ||
    theirs.some((name) => {
      const [first = ""] = name.trim().split(" ")
      return first.length >= 4 && text.includes(` ${first} `)
    })

  const decide = (label: string): Side => {
    const text = fold(label)
    const domains = [...label.toLowerCase().matchAll(DOMAIN)].map(([, domain]) => domain!)
    if (SELLER.test(text.trim())) return "seller"
    if (BUYER.test(text.trim())) return "buyer"
    if (domains.some((domain) => parties.ourDomains.some((own) => isOf(domain, own)))) return "seller"
    const { clientDomain } = parties
    if (clientDomain !== null && domains.some((domain) => isOf(domain, clientDomain))) return "buyer"
    if (ours.some((name) => text.includes(name))) return "seller"
    if (isTheirs(text)) return "buyer"
    if (people.has(text) || people.has(fold(label.replace(COMPANY, "")))) return "seller"
    const company = COMPANY.exec(label)
      ?.slice(1)
      .find((each) => each !== undefined)
    if (isSet || (company === undefined && domains.length === 0)) return "unknown"
    const [first = ""] = fold(company ?? "")
      .trim()
      .split(" ")
    if (first.length >= 4 && deal.includes(` ${first} `)) return "buyer"
    return domains.some((domain) => deal.includes(` ${domain.split(".")[0]} `)) ? "buyer" : "seller"
  }

  return (label: string | undefined): Side => {
    if (label === undefined || label.length > MAX_LABEL_LENGTH) return "unknown"
    const before = known.get(label)
    if (before !== undefined) return before
    const side = decide(label)
    known.set(label, side)
    return side
  }
}

/** The host of a website's address, without `www`. */
export const parseDomain = (website: string | null): string | null => {
  const host = /^(?:[a-z]+:\/\/)?(?:www\.)?([^/:?#\s]+)/i.exec(website ?? "")?.[1]?.toLowerCase()
  return host === undefined || !host.includes(".") ? null : host
}
