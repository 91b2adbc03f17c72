import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as oauth from "oauth4webapi"

// Connects to /mcp by signing in, as an assistant does: `oauth.js PROGRAM URL [KEY]`. Prints what the client got. The person is played by
// `decide`.

const [program, url, key] = process.argv.slice(2)
const CALLBACK = "http://127.0.0.1:9/callback"

const field = (html, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]

/**
 * Goes through the pages in place of a person: follows redirects with cookies, pastes the key where a page asks for one, and agrees.
 * Returns the address to which the browser would go back.
 */
const decide = async (authorization) => {
  const cookies = new Map()
  let [to, fields] = [authorization, undefined]
  for (let pages = 0; pages < 10; pages++) {
    const reply = await fetch(to, {
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; "), "sec-fetch-site": "same-origin" },
      ...(fields !== undefined && { method: "POST", body: new URLSearchParams(fields) }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair] = cookie.split(";")
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
    }
    const location = reply.headers.get("location")
    if (location?.startsWith(CALLBACK)) return new URL(location)
    const page = await reply.text()
    const action = location ?? /<form method="post" action="([^"]*)"/.exec(page)?.[1]
    if (action === undefined) throw new Error(`${reply.status} ${to}: ${page}`)
    const consent = field(page, "consent")
    if (location !== null) fields = undefined
    else if (consent === undefined) fields = { request: field(page, "request"), key }
    else fields = { consent, as: field(page, "as"), decision: "allow" }
    to = new URL(action, to)
  }
  throw new Error(`too many pages, the last one ${to}`)
}

/** The memory of a client of the SDKs. */
class Provider {
  redirectUrl = CALLBACK
  clientMetadata = { client_name: `Test of ${program}`, redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" }
  state = () => "state-1"
  clientInformation = () => this.client
  saveClientInformation = (client) => void (this.client = client)
  tokens = () => this.saved
  saveTokens = (tokens) => void (this.saved = tokens)
  saveCodeVerifier = (verifier) => void (this.verifier = verifier)
  codeVerifier = () => this.verifier
  redirectToAuthorization = async (authorization) => void (this.back = await decide(authorization))
}

const withSdk = async (makeClient, Transport) => {
  const authProvider = new Provider()
  const first = new Transport(new URL(url), { authProvider })
  const refused = await makeClient()
    .connect(first)
    .then(
      () => "connected",
      (error) => error.constructor.name,
    )
  const { searchParams } = authProvider.back
  await (Transport === OldTransport
    ? first.finishAuth(searchParams.get("code"), searchParams.get("iss") ?? undefined)
    : first.finishAuth(searchParams))
  const client = makeClient()
  await client.connect(new Transport(new URL(url), { authProvider }))
  const before = (await client.listTools()).tools.length
  // A token that the server does not know makes the client renew it.
  authProvider.saved = { ...authProvider.saved, access_token: `${authProvider.saved.access_token.slice(0, -1)}_` }
  const renewed = makeClient()
  await renewed.connect(new Transport(new URL(url), { authProvider }))
  const { tools } = await renewed.listTools()
  await client.close()
  await renewed.close()
  return { refused, before, tools: tools.length, state: searchParams.get("state"), scope: authProvider.saved.scope }
}

const withOauth4webapi = async () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const resource = await oauth.processResourceDiscoveryResponse(
    new URL(url),
    await oauth.resourceDiscoveryRequest(new URL(url), insecure),
  )
  const issuer = new URL(resource.authorization_servers[0])
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, discovery)
  const metadata = { client_name: "Test", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" }
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, metadata, insecure),
  )
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const authorization = new URL(server.authorization_endpoint)
  authorization.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "workspace:read",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    resource: resource.resource,
  })
  const parameters = oauth.validateAuthResponse(server, client, await decide(authorization), state)
  const extra = { ...insecure, additionalParameters: { resource: resource.resource } }
  const none = oauth.None()
  const issued = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, none, parameters, CALLBACK, verifier, extra),
  )
  const renewed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, none, issued.refresh_token, extra),
  )
  const ask = () =>
    fetch(url, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      headers: { authorization: `Bearer ${renewed.access_token}`, "content-type": "application/json" },
    })
  const { result } = await (await ask()).json()
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, none, renewed.refresh_token, insecure),
  )
  return { tools: result.tools.length, scope: renewed.scope, revoked: (await ask()).status }
}

const programs = {
  "sdk 1": () => withSdk(() => new OldClient({ name: "test", version: "1" }), OldTransport),
  "sdk 2": () =>
    withSdk(
      () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } }),
      StreamableHTTPClientTransport,
    ),
  oauth4webapi: withOauth4webapi,
}
console.log(JSON.stringify(await programs[program]()))
process.exit()
