import { AUTHORIZE, REGISTER, RESOURCE_METADATA, REVOKE, TOKEN } from "./SigningIn.ts"
import { DEFAULT_SCOPE, SCOPES } from "./scopes.ts"

/** The protected resource: tokens are for it alone. */
export const resourceOf = (base: string): string => `${base}/mcp`

/** RFC 9728. */
export const resourceMetadata = (base: string) => ({
  resource: resourceOf(base),
  authorization_servers: [base],
  scopes_supported: Object.keys(SCOPES),
  bearer_methods_supported: ["header"],
  resource_name: "Sightline",
})

/** RFC 8414. Clients refuse a server that does not announce S256. */
export const serverMetadata = (base: string) => ({
  issuer: base,
  authorization_endpoint: base + AUTHORIZE,
  token_endpoint: base + TOKEN,
  revocation_endpoint: base + REVOKE,
  registration_endpoint: base + REGISTER,
  scopes_supported: Object.keys(SCOPES),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resourceOf(base)],
})

/**
 * Whether a path below a well-known address is ours. The standards put the path of a resource or issuer behind the well-known part; a host
 * that mounts this service below a path forwards these, or leaves the path in front.
 */
export const isOwnSuffix = (suffix: string, of: string): boolean => {
  const path = new URL(of).pathname.replace(/\/$/, "")
  return suffix === "" || suffix === path || suffix === path.slice(path.lastIndexOf("/"))
}

/** The value of `WWW-Authenticate` by which a client finds out how to sign in. */
export const challenge = (base: string, error?: "invalid_token" | "insufficient_scope"): string =>
  [
    "Bearer ",
    error === undefined ? "" : `error="${error}", `,
    `resource_metadata="${base}${RESOURCE_METADATA}/mcp", scope="${DEFAULT_SCOPE}"`,
  ].join("")
