import ipaddr from "ipaddr.js"

/** Exceptions to the rule that only the public internet is reachable. */
export interface Exceptions {
  /** Ports of this machine: for tests only. */
  readonly allowLoopback: ReadonlyArray<number>
  /** Allowed `host:port` pairs, whatever the host resolves to: the operator named them. */
  readonly allowHosts: ReadonlyArray<string>
}

/** Whether a connection to this address, in any spelling, and port is allowed. */
export const mayConnect = (address: string, port: number, { allowLoopback }: Exceptions): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (range === "loopback") return allowLoopback.includes(port)
  if (!WEB_PORTS.has(port) || range !== "unicast" || METADATA.has(parsed.toString())) return false
  // `::127.0.0.1` and unallocated addresses are not special ranges, but not the internet either.
  return parsed.kind() === "ipv4" || (parsed instanceof ipaddr.IPv6 && isGlobal(parsed))
}

/** 2000::/3 is all allocated IPv6; 3fff::/20 of it is for documentation. */
const isGlobal = ({ parts: [first = 0, second = 0] }: ipaddr.IPv6) =>
  first >> 13 === 1 && !(first === 0x3fff && second < 0x1000)

/**
 * Cloud services on public addresses that the cloud serves internally: Azure's wire server exposes a machine's
 * settings and certificates. Those of other clouds do not have `unicast` addresses.
 */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"])

const WEB_PORTS = new Set([80, 443])

export interface Target {
  readonly url: URL
  readonly port: number
  /** Without brackets. */
  readonly host: string
  /** The host is an address: no name lookup. */
  readonly literal: boolean
  /** The operator named this host and port: its addresses are not checked. */
  readonly allowed: boolean
}

/** Whether a connection from the target to this address is allowed. */
export const mayConnectTo = ({ port, allowed }: Target, address: string, exceptions: Exceptions): boolean =>
  allowed || mayConnect(address, port, exceptions)

/** Parses a URL to a connection target; undefined if its text alone is forbidden. */
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
  // A name whose last label is a number is an address in a spelling that this runtime's URL parser does not know.
  if (!NAME.test(host) || /^(?:\d+|0x[0-9a-f]*)$/i.test(host.split(".").findLast(Boolean) ?? "")) return undefined
  return { url, port, host, literal, allowed: false }
}

const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i

/** Names that always resolve to this machine (RFC 6761). */
const LOOPBACK_NAME = /^(?:.+\.)?localhost\.?$/i

/** The target of a redirect. */
export const follow = (from: Target, location: string, exceptions: Exceptions): Target | undefined => {
  const to = parseTarget(location, exceptions, from.url)
  return from.url.protocol === "https:" && to?.url.protocol === "http:" ? undefined : to
}
