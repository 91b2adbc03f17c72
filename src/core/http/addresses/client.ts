import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** The peer's address, set by adapters whose requests do not carry it. */
export const PeerAddress = Context.Reference<string | undefined>("sightline/http/PeerAddress", {
  defaultValue: () => undefined,
})

/** The number of proxies in front that append to `X-Forwarded-For`. With 0, the header is ignored: any caller can forge it. */
export const TrustedProxies = Context.Reference<number>("sightline/http/TrustedProxies", { defaultValue: () => 0 })

const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/

/**
 * The client's IP address: the peer's, or behind `proxies` trusted proxies the entry that the outermost of them appended.
 * Entries further left come from the caller and are not trusted.
 */
export const clientAddress = (
  { headers, remoteAddress }: HttpServerRequest,
  peer: string | undefined,
  proxies: number,
): string | undefined => {
  const entry = proxies === 0 ? undefined : headers["x-forwarded-for"]?.split(",").at(-proxies)?.trim()
  const address = entry !== undefined && ADDRESS.test(entry) ? entry : (peer ?? Option.getOrUndefined(remoteAddress))
  return address?.replace(/^::ffff:(?=\d+\.)/i, "")
}
