import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ROLE_NAMES } from "../../core/access/permissions.ts"
import { isLoopback } from "../../core/http/addresses/loopback.ts"
import type { MembershipRules, RoleRule } from "../../core/members/rules.ts"
import type { OpenIdChoice } from "../identity/openId.ts"
import { flag, Invalid } from "./values.ts"

/** The provider through which people sign in to the console, and who of them may enter. */
export interface OpenIdSettings extends OpenIdChoice, MembershipRules {}

const DEFAULT_SCOPES = "openid email profile"
const DEFAULT_CLAIM = "groups"

/** Its replies say who a person is, so only a provider on this machine may lack TLS. */
const issuer = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.host))
  return url !== undefined && isSafe && url.search === "" && url.hash === "" && url.username === ""
    ? text
    : new Invalid(
        `must be the https address of an OpenID provider as it writes it, such as https://login.example.com, but is '${text}'`,
      )
}

/** `groups: sales-admins=admin, sales=member, *=viewer`. Without a claim's name, the claim is `groups`. */
const roleRules = (text: string): Pick<MembershipRules, "roleClaim" | "roles"> | Invalid => {
  const [, roleClaim = DEFAULT_CLAIM, list = ""] = /^(?:([^\s=,]+):(?=\s))?(.*)$/s.exec(text) ?? []
  const roles: Array<RoleRule> = []
  for (const rule of list.split(",").filter((part) => part.trim() !== "")) {
    const at = rule.lastIndexOf("=")
    const [value, name] = [rule.slice(0, Math.max(at, 0)).trim(), rule.slice(at + 1).trim()]
    const role = ROLE_NAMES.find((known) => known === name)
    if (value === "" || role === undefined)
      return new Invalid(
        `must be rules such as "groups: sales-admins=admin, sales=member, *=viewer", with the roles ${ROLE_NAMES.join(", ")}, but has '${rule.trim()}'`,
      )
    roles.push({ value, role })
  }
  return roles.length === 0
    ? new Invalid(`must have a rule, such as sales=member, but is '${text}'`)
    : { roleClaim, roles }
}

/** In lower case. */
const domains = (text: string): ReadonlyArray<string> | Invalid => {
  const list = text
    .split(",")
    .map((domain) => domain.trim().toLowerCase())
    .filter((domain) => domain !== "")
  const wrong = list.find((domain) => !/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(domain))
  return wrong === undefined
    ? list
    : new Invalid(`must be domains separated by commas, such as example.com, but has '${wrong}'`)
}

/** With `openid`, without which a reply has no ID token. */
const scopes = (text: string) =>
  /^[!#-[\]-~]+(?: +[!#-[\]-~]+)*$/.test(text)
    ? [...new Set(["openid", ...text.split(/ +/)])].join(" ")
    : new Invalid(`must be scopes separated by spaces, such as ${DEFAULT_SCOPES}, but is '${text}'`)

/** Reads the variables `SIGHTLINE_OIDC_…`. Undefined: people sign in to the console with keys alone. */
export const readOpenId = Effect.fnUntraced(function* (
  read: <A>(name: string, parse: (text: string) => A | Invalid) => Effect.Effect<A | undefined>,
  problems: Array<string>,
): Effect.fn.Return<OpenIdSettings | undefined> {
  const provider = yield* read("SIGHTLINE_OIDC_ISSUER", issuer)
  const given = {
    CLIENT_ID: yield* read("SIGHTLINE_OIDC_CLIENT_ID", String),
    CLIENT_SECRET: yield* read("SIGHTLINE_OIDC_CLIENT_SECRET", (text) => Redacted.make(text)),
    SCOPES: yield* read("SIGHTLINE_OIDC_SCOPES", scopes),
    DOMAINS: yield* read("SIGHTLINE_OIDC_DOMAINS", domains),
    ROLES: yield* read("SIGHTLINE_OIDC_ROLES", roleRules),
    ORGANIZATION: yield* read("SIGHTLINE_OIDC_ORGANIZATION", String),
    TRUST_EMAIL: yield* read("SIGHTLINE_OIDC_TRUST_EMAIL", flag),
  }
  if (provider === undefined) {
    for (const [name, value] of Object.entries(given))
      if (value !== undefined) problems.push(`SIGHTLINE_OIDC_${name} needs SIGHTLINE_OIDC_ISSUER, which is not set`)
    return undefined
  }
  if (given.CLIENT_ID === undefined)
    problems.push("SIGHTLINE_OIDC_CLIENT_ID must be the client's id at the provider if SIGHTLINE_OIDC_ISSUER is set")
  if ((given.ROLES === undefined) !== (given.ORGANIZATION === undefined))
    problems.push(
      "SIGHTLINE_OIDC_ROLES and SIGHTLINE_OIDC_ORGANIZATION must be set together: people join the organization with the roles that the rules give",
    )
  return {
    issuer: provider,
    clientId: given.CLIENT_ID ?? "",
    clientSecret: given.CLIENT_SECRET,
    scopes: given.SCOPES ?? DEFAULT_SCOPES,
    trustEmail: given.TRUST_EMAIL ?? false,
    domains: given.DOMAINS ?? [],
    roleClaim: given.ROLES?.roleClaim ?? DEFAULT_CLAIM,
    roles: given.ROLES?.roles ?? [],
    organization: given.ORGANIZATION,
  }
})
