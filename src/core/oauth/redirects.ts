/** The place to which a browser returns once a person has decided. `machine`: a program on the person's own machine, which nobody can name for sure. */
export interface Destination {
  readonly kind: "site" | "machine" | "app"
  /** The host, or the scheme of an app. */
  readonly name: string
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Schemes that browsers open by themselves, or that run what follows. */
const UNSAFE = new Set(
  "about blob chrome content data file filesystem ftp http https intent jar javascript mailto ms-msdt resource sms tel vbscript view-source ws wss".split(
    " ",
  ),
)

const MAX_LENGTH = 2000

export const REDIRECT_RULE =
  "a redirect address is https, http of this machine (localhost, 127.0.0.1, [::1]), or an app's own scheme, without # or a user"

/** Undefined for an address that no client may have. */
export const destinationOf = (uri: string): Destination | undefined => {
  if (uri.length > MAX_LENGTH || uri.includes("#") || /[^\x21-\x7e]/.test(uri) || !URL.canParse(uri)) return undefined
  const { protocol, host, hostname, username, password } = new URL(uri)
  if (username !== "" || password !== "") return undefined
  if (protocol === "https:") return { kind: "site", name: host }
  if (protocol === "http:") return LOOPBACK.has(hostname) ? { kind: "machine", name: hostname } : undefined
  const scheme = protocol.slice(0, -1)
  // An app claims `scheme://…` for itself, such as `cursor://anysphere.cursor-mcp/oauth/callback`.
  return UNSAFE.has(scheme) || !uri.startsWith(`${scheme}:/`) ? undefined : { kind: "app", name: scheme }
}

/** Whether a client that registered `registered` may ask for `given`. A program on this machine gets another port at each start. */
export const matchesRedirect = (registered: string, given: string): boolean => {
  if (registered === given) return true
  if (destinationOf(given)?.kind !== "machine" || destinationOf(registered)?.kind !== "machine") return false
  return withoutPort(registered) === withoutPort(given)
}

const withoutPort = (uri: string) => {
  const url = new URL(uri)
  url.port = ""
  return url.href
}

/** The source by which a Content Security Policy lets a form end at the address. A policy cannot name an IPv6 address. */
export const formTarget = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  if (protocol !== "https:" && protocol !== "http:") return protocol
  return host.startsWith("[") ? protocol : `${protocol}//${host}`
}

/** Adds the parameters of a reply to a redirect address. */
export const withParameters = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${uri}${uri.includes("?") ? "&" : "?"}${given.join("&")}`
}
