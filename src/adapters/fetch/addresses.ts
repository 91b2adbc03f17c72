import ipaddr from "ipaddr.js"

/** What a layer lets pass beside the public internet. */
export interface Exceptions {
  /** Ports of this machine: for tests alone. */
  readonly allowLoopback: ReadonlyArray<number>
  /** `host:port` pairs of an address, whatever the host resolves to: the operator named them. */
  readonly allowHosts: ReadonlyArray<string>
}

/** May a connection be made to this address, in whatever spelling, and port? */
export const mayConnect = (address: string, port: number, { allowLoopback }: Exceptions): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (range === "loopback") return allowLoopback.includes(port)
  if (!WEB_PORTS.has(port) || range !== "unicast" || METADATA.has(parsed.toString())) return false
  // `::127.0.0.1` and whatever is not handed out yet are no special range, but are not the internet either.
  return parsed.kind() === "ipv4" || (parsed instanceof ipaddr.IPv6 && isGlobal(parsed))
}

/** 2000::/3 is all of IPv6 that is handed out; 3fff::/20 of it is for documentation. */
const isGlobal = ({ parts: [first = 0, second = 0] }: ipaddr.IPv6) =>
  first >> 13 === 1 && !(first === 0x3fff && second < 0x1000)

/**
 * Services of a cloud on public addresses, which the cloud answers from within: Azure's wire server gives out a machine's
 * settings and certificates. Those of other clouds have addresses that are no `unicast`.
 */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"])

const WEB_PORTS = new Set([80, 443])

export interface Target {
  readonly url: URL
  readonly port: number
  /** Without brackets. */
  readonly host: string
  /** The host is an address already: no name is looked up. */
  readonly literal: boolean
  /** The operator named this host and port: no address of it is judged. */
  readonly allowed: boolean
}

/** May a connection to the target be made to this address? */
export const mayConnectTo = ({ port, allowed }: Target, address: string, exceptions: Exceptions): boolean =>
  allowed || mayConnect(address, port, exceptions)

/** The address as a place to connect to; undefined where its text alone says that it may not be fetched. */
export const parseTarget = (text: string | URL, exceptions: Exceptions, base?: URL): Target | undefined => {
  if (!URL.canParse(String(text), base?.href)) return undefined
  const url = new URL(String(text), base?.href)
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined
  if (url.username !== "" || url.password !== "") return undefined
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const literal = ipaddr.isValid(host)
  if (exceptions.allowHosts.includes(`${url.hostname}:${port}`)) return { url, port, host, literal, allowed: true }
  if (!WEB_PORTS.has(port) && !exceptions.allowLoopback.includes(port)) return undefined
  if (literal) return mayConnect(host, port, exceptions) ? { url, port, host, literal, allowed: false } : undefined
  if (LOOPBACK_NAME.test(host) && !exceptions.allowLoopback.includes(port)) return undefined
  // A name whose last label is a number is an address in a spelling that this runtime's URL does not know.
  if (!NAME.test(host) || /^(?:\d+|0x[0-9a-f]*)$/i.test(host.split(".").findLast(Boolean) ?? "")) return undefined
  return { url, port, host, literal, allowed: false }
}

const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i

/** Names that never leave the machine, whoever is asked (RFC 6761). */
const LOOPBACK_NAME = /^(?:.+\.)?localhost\.?$/i

/** Where a redirect leads. */
export const follow = (from: Target, location: string, exceptions: Exceptions): Target | undefined => {
  const to = parseTarget(location, exceptions, from.url)
  return from.url.protocol === "https:" && to?.url.protocol === "http:" ? undefined : to
}
