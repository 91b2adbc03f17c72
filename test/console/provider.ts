import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The things that a test makes the provider say. */
interface Behaviour {
  /** Claims of the ID token, over those that are right. */
  idToken: Record<string, unknown>
  /** Claims of the userinfo endpoint. */
  userInfo: Record<string, unknown>
  /** Signs with a key that the provider does not publish. */
  isForged: boolean
  /** The error that the authorization endpoint sends back. */
  error: string | undefined
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const makeKey = () => crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])

/**
 * A loopback double of an OpenID provider, for replies that a real one does not give: everybody who comes is signed in at once, as `person`
 * says. `openId.all.test.ts` signs in through a real one.
 */
export const startProvider = async () => {
  const [key, foreign] = [await makeKey(), await makeKey()]
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", key.publicKey)
  const behaviour: Behaviour = { idToken: {}, userInfo: {}, isForged: false, error: undefined }
  const codes = new Map<string, { readonly nonce: string; readonly challenge: string; readonly subject: string }>()
  let subject = "ada"
  let issuer = ""
  let codesUsed = 0

  const signed = async (claims: Record<string, unknown>) => {
    const text = `${encode({ alg: "ES256", kid: "1" })}.${encode(claims)}`
    const { privateKey } = behaviour.isForged ? foreign : key
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, Buffer.from(text))
    return `${text}.${Buffer.from(signature).toString("base64url")}`
  }

  const redirectOf = (query: URLSearchParams) => {
    const back = new URL(query.get("redirect_uri")!)
    back.searchParams.set("state", query.get("state")!)
    back.searchParams.set("iss", issuer)
    if (behaviour.error !== undefined) {
      back.searchParams.set("error", behaviour.error)
      return back
    }
    const code = crypto.randomUUID()
    codes.set(code, { nonce: query.get("nonce")!, challenge: query.get("code_challenge")!, subject })
    back.searchParams.set("code", code)
    return back
  }

  const tokensOf = async (form: URLSearchParams) => {
    const held = codes.get(form.get("code") ?? "")
    codes.delete(form.get("code") ?? "")
    const proof = await crypto.subtle.digest("SHA-256", Buffer.from(form.get("code_verifier") ?? ""))
    if (held === undefined || Buffer.from(proof).toString("base64url") !== held.challenge) return undefined
    codesUsed++
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: "sightline", sub: held.subject, nonce: held.nonce, iat: now, exp: now + 300 }
    return {
      access_token: held.subject,
      token_type: "Bearer",
      id_token: await signed({ ...claims, ...behaviour.idToken }),
    }
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", issuer)
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
          authorization_response_iss_parameter_supported: true,
        })
      case "/authorize":
        return response.writeHead(302, { location: redirectOf(searchParams).href }).end()
      case "/keys":
        return json({ keys: [{ kty, crv, x, y, kid: "1", alg: "ES256", use: "sig" }] })
      case "/userinfo":
        return json({ sub: request.headers.authorization?.slice("Bearer ".length), ...behaviour.userInfo })
      case "/token": {
        const parts: Array<Buffer> = []
        request.on("data", (part: Buffer) => parts.push(part))
        return request.on("end", async () => {
          // Both parts are form-encoded: RFC 6749, 2.3.1.
          const given = decodeURIComponent(atob(request.headers.authorization?.slice("Basic ".length) ?? ""))
          const isClient = given === "sightline:provider-secret"
          const tokens = isClient ? await tokensOf(new URLSearchParams(Buffer.concat(parts).toString())) : undefined
          return tokens === undefined ? json({ error: "invalid_grant" }, 400) : json(tokens)
        })
      }
      default:
        return response.writeHead(404).end()
    }
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    codesUsed: () => codesUsed,
    /** Who comes to the provider from now on, and what it says of that person. */
    person: (given: string, said: Partial<Behaviour> = {}) => {
      subject = given
      Object.assign(behaviour, { idToken: {}, userInfo: {}, isForged: false, error: undefined }, said)
    },
    stop: () => new Promise<void>((closed) => void server.close(() => closed())),
  }
}

export type Provider = Awaited<ReturnType<typeof startProvider>>
