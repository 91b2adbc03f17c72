import * as Context from "effect/Context"

/** The ways in which people sign in to connect an assistant to `/mcp`. */
export interface SigningInOptions {
  /**
   * The host's own login, for visitors whom `principal` does not know. It gets the address to return to, and the host sends the browser
   * back there once the person is signed in.
   */
  readonly loginUrl?: ((returnTo: string) => string | URL) | undefined
  /** Whether people may paste an API key; by default only if there is no `principal`. */
  readonly keySignIn?: boolean | undefined
}

/** Undefined: `/mcp` opens with keys alone, and the addresses of OAuth do not exist. */
export const SigningIn = Context.Reference<SigningInOptions | undefined>("sightline/oauth/SigningIn", {
  defaultValue: () => undefined,
})

export const AUTHORIZE = "/oauth/authorize"
export const SIGN_IN = "/oauth/sign-in"
export const TOKEN = "/oauth/token"
export const REVOKE = "/oauth/revoke"
export const REGISTER = "/oauth/register"
export const SERVER_METADATA = "/.well-known/oauth-authorization-server"
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource"
