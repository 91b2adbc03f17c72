import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as oauth from "oauth4webapi"

// Connects to /mcp by signing in, as an assistant does: `oauth.js PROGRAM URL KEY`. Prints what the client got. The person is played by
// `decide`, which pastes the key and agrees.

const [program, url, key] = process.argv.slice(2)
const CALLBACK = "http://127.0.0.1:9/callback"

const field = (html, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]

const post = (to, fields, cookie = "") =>
  fetch(to, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields),
    headers: { cookie, "sec-fetch-site": "same-origin" },
  })

/** Goes through the pages in place of a person. Returns the address to which the browser would go back. */
const decide = async (authorization) => {
  const { origin } = new URL(authorization)
  const signIn = await (await fetch(authorization)).text()
  const signedIn = await post(`${origin}/oauth/sign-in`, { request: field(signIn, "request"), key })
  const cookie = signedIn.headers.get("set-cookie").split(";")[0]
  const page = await (await fetch(signedIn.headers.get("location"), { headers: { cookie } })).text()
  const fields = { consent: field(page, "consent"), as: field(page, "as"), decision: "allow" }
  return new URL((await post(`${origin}/oauth/authorize`, fields, cookie)).headers.get("location"))
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
