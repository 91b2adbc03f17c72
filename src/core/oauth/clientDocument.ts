import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hasName } from "./clientName.ts"
import { destinationOf } from "./redirects.ts"

/** A client's words about itself: in a document at the address that is its id, or when it registers. */
const Metadata = Schema.fromJsonString(
  Schema.Struct({
    client_id: Schema.optional(Schema.String),
    client_name: Schema.optional(Schema.String),
    redirect_uris: Schema.Array(Schema.String),
  }),
)

const decode = Schema.decodeUnknownOption(Metadata)

export const MAX_REDIRECTS = 20

export interface ClientMetadata {
  readonly clientId: string | undefined
  readonly name: string | undefined
  readonly redirectUris: ReadonlyArray<string>
}

/** Reads metadata, or says what is wrong with it. */
export const readMetadata = (text: string): ClientMetadata | "not_metadata" | "bad_redirect" => {
  const read = Option.getOrUndefined(decode(text))
  if (read === undefined) return "not_metadata"
  const { client_id, client_name, redirect_uris } = read
  if (redirect_uris.length === 0 || redirect_uris.length > MAX_REDIRECTS) return "bad_redirect"
  if (redirect_uris.some((uri) => destinationOf(uri) === undefined)) return "bad_redirect"
  return { clientId: client_id, name: hasName(client_name) ? client_name : undefined, redirectUris: redirect_uris }
}

const MAX_LENGTH = 500

/** Whether a client's id is the address of its metadata: https, with a path, in the one spelling that parsers agree on. */
export const isDocumentAddress = (clientId: string): boolean => {
  if (!clientId.startsWith("https://") || clientId.length > MAX_LENGTH || !URL.canParse(clientId)) return false
  const { href, pathname, hash, username, password } = new URL(clientId)
  return href === clientId && pathname !== "/" && hash === "" && username === "" && password === ""
}

const DEFAULT_SECONDS = 300
const MAX_SECONDS = 86_400

/** The seconds for which a document may be kept, as its server says: 300 if it says nothing, at most a day. */
export const keepSeconds = (cacheControl: string | undefined): number => {
  const directives = (cacheControl ?? "").toLowerCase()
  if (/\bno-(store|cache)\b/.test(directives)) return 0
  const age = /\bmax-age\s*=\s*"?(\d{1,10})/.exec(directives)?.[1]
  return age === undefined ? DEFAULT_SECONDS : Math.min(Number(age), MAX_SECONDS)
}
