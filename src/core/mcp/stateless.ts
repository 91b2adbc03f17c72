import { CODES, type Message, type Request, RpcError, VERSIONS } from "./messages.ts"

/**
 * The rules of revision 2026-07-28, which has neither handshake nor sessions: each request states its version and what its client
 * can do in `_meta`, its HTTP headers repeat what proxies route by, and each result says that it is complete.
 */
export const STATELESS_VERSIONS: ReadonlyArray<string> = ["2026-07-28"]

const PREFIX = "io.modelcontextprotocol/"
const VERSION_KEY = `${PREFIX}protocolVersion`
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`

/** How long a client may keep a reply, in milliseconds. Lists of tools change with a key's permissions, resources with each upload. */
const TTL_MS: Readonly<Record<string, number>> = {
  "server/discover": 300_000,
  "tools/list": 300_000,
  "resources/templates/list": 300_000,
  "resources/list": 10_000,
  "resources/read": 60_000,
}

/** The parameter that the header `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "prompts/get": "name",
}

type Params = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string | undefined>>

const metaOf = ({ _meta }: Params): Params => (typeof _meta === "object" && _meta !== null ? (_meta as Params) : {})

/** The capabilities of a client of these rules; undefined for every other client. */
export const capabilitiesOf = (params: Params): Params | undefined => {
  const meta = metaOf(params)
  const capabilities = VERSION_KEY in meta ? meta[CAPABILITIES_KEY] : undefined
  return typeof capabilities === "object" && capabilities !== null ? (capabilities as Params) : undefined
}

/** A request that states its version follows these rules; every other one the rules of the handshake. */
export const isStateless = ({ params = {} }: Request) => VERSION_KEY in metaOf(params)

/** A request follows the rules of the handshake if neither its header nor its body states another version. */
export const claimsStateless = (headers: Headers, message: Message): message is Request =>
  "method" in message &&
  message.id !== undefined &&
  (isStateless(message) || !VERSIONS.some((known) => known === (headers["mcp-protocol-version"] ?? known)))

/** The headers that a request over HTTP carries beside its body. */
export const headersFor = (message: Request): Readonly<Record<string, string>> => {
  const version = metaOf(message.params ?? {})[VERSION_KEY]
  const name = nameOf(message)
  return {
    "mcp-protocol-version": String(version),
    "mcp-method": message.method,
    ...(name !== undefined && { "mcp-name": encodeHeader(name) }),
  }
}

/** A request that these rules refuse, with status 400. */
export const findProblem = (headers: Headers, message: Request): RpcError | undefined => {
  const meta = metaOf(message.params ?? {})
  const requested = meta[VERSION_KEY]
  const version = headers["mcp-protocol-version"]
  if (typeof requested !== "string") {
    // A version that no revision has says nothing of the rules that the caller follows.
    return version !== undefined && !STATELESS_VERSIONS.includes(version)
      ? unsupported(version)
      : invalid(`params._meta must have the text “${VERSION_KEY}”`)
  }
  if (version !== requested) return mismatch("MCP-Protocol-Version", version, requested)
  if (!STATELESS_VERSIONS.includes(requested)) return unsupported(requested)
  const capabilities = meta[CAPABILITIES_KEY]
  if (typeof capabilities !== "object" || capabilities === null || Array.isArray(capabilities))
    return invalid(`params._meta must have the object “${CAPABILITIES_KEY}”; {} if the client has none`)
  const method = headers["mcp-method"]
  if (method?.trim() !== message.method) return mismatch("Mcp-Method", method, message.method)
  const name = nameOf(message)
  const given = headers["mcp-name"]
  if (name !== undefined && (given === undefined || decodeHeader(given.trim()) !== name))
    return mismatch("Mcp-Name", given, name)
  return undefined
}

const nameOf = ({ method, params = {} }: Request): string | undefined => {
  const name = Object.hasOwn(NAMED, method) ? params[NAMED[method]!] : undefined
  return typeof name === "string" ? name : undefined
}

const invalid = (message: string) => new RpcError({ code: CODES.params, message })

const unsupported = (requested: string) =>
  new RpcError({
    code: CODES.version,
    message: `version “${requested}” is not supported; each request may state ${STATELESS_VERSIONS.join(", ")}, and initialize agrees on ${VERSIONS.join(", ")}`,
    data: { supported: STATELESS_VERSIONS, requested },
  })

const mismatch = (header: string, given: string | undefined, expected: string) =>
  new RpcError({
    code: CODES.header,
    message:
      given === undefined
        ? `the header ${header} is missing; the body has “${expected}”`
        : `the header ${header} has “${given}”, but the body “${expected}”`,
  })

/** A header holds visible ASCII and inner spaces; every other text is encoded. */
const PLAIN = /^(?!=\?base64\?)[!-~](?:[ -~]*[!-~])?$/
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/i

const encodeHeader = (text: string) =>
  PLAIN.test(text) ? text : `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`

/** Undefined for a text that looks encoded and is not. */
const decodeHeader = (text: string) => {
  const encoded = ENCODED.exec(text)?.[1]
  if (encoded === undefined) return text
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A result as these rules want it. What a key may read differs from key to key, so no cache may share it. */
export const completed = (method: string, result: { readonly _meta?: object }, serverInfo: object) => ({
  resultType: "complete",
  ...result,
  ...(Object.hasOwn(TTL_MS, method) && { ttlMs: TTL_MS[method], cacheScope: "private" }),
  _meta: { ...result._meta, [`${PREFIX}serverInfo`]: serverInfo },
})

/** An error as these rules want it: a resource that does not exist is an invalid parameter. */
export const translateError = ({ code, message, data }: Pick<RpcError, "code" | "message" | "data">) => ({
  code: code === CODES.resource ? CODES.params : code,
  message,
  data,
})
