import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { configuration } from "../../../src/adapters/configuration/configuration.ts"

const BASIC = { SIGHTLINE_OIDC_ISSUER: "https://login.example.com", SIGHTLINE_OIDC_CLIENT_ID: "sightline" }

const read = (settings: Record<string, string>) =>
  Effect.map(
    Effect.provide(configuration, ConfigProvider.layer(ConfigProvider.fromUnknown(settings))),
    ({ openId }) => openId,
  )
const problem = (settings: Record<string, string>) => Effect.map(Effect.flip(read(settings)), ({ message }) => message)

describe("the settings of an OpenID provider", () => {
  it.effect("are read, with their defaults", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* read({}))
      const shortest = {
        issuer: "https://login.example.com",
        clientId: "sightline",
        clientSecret: undefined,
        scopes: "openid email profile",
        trustEmail: false,
        domains: [],
        roleClaim: "groups",
        roles: [],
        organization: undefined,
      }
      assert.deepStrictEqual(yield* read(BASIC), shortest)
      const all = yield* read({
        ...BASIC,
        SIGHTLINE_OIDC_ISSUER: "https://login.example.com/tenant/",
        SIGHTLINE_OIDC_CLIENT_SECRET: "hunter2",
        SIGHTLINE_OIDC_SCOPES: "email  groups",
        SIGHTLINE_OIDC_TRUST_EMAIL: "true",
        SIGHTLINE_OIDC_DOMAINS: "Example.com, müller.example",
        SIGHTLINE_OIDC_ROLES: "realm_access.roles: Sales Team=member, https://a.example/x=1 = admin, *=viewer",
        SIGHTLINE_OIDC_ORGANIZATION: "org_1",
      })
      assert.notInclude(JSON.stringify(all), "hunter2")
      assert.deepStrictEqual(all, {
        ...shortest,
        issuer: "https://login.example.com/tenant/",
        clientSecret: Redacted.make("hunter2"),
        scopes: "openid email groups",
        trustEmail: true,
        domains: ["example.com", "müller.example"],
        roleClaim: "realm_access.roles",
        roles: [
          { value: "Sales Team", role: "member" },
          { value: "https://a.example/x=1", role: "admin" },
          { value: "*", role: "viewer" },
        ],
        organization: "org_1",
      })
      const claimless = yield* read({
        ...BASIC,
        SIGHTLINE_OIDC_ROLES: "https://a.example/sales=member",
        SIGHTLINE_OIDC_ORGANIZATION: "o",
      })
      assert.deepInclude(claimless, {
        roleClaim: "groups",
        roles: [{ value: "https://a.example/sales", role: "member" }],
      })
    }),
  )

  it.effect("need TLS, except on this machine", () =>
    Effect.gen(function* () {
      for (const SIGHTLINE_OIDC_ISSUER of ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000"])
        assert.strictEqual((yield* read({ ...BASIC, SIGHTLINE_OIDC_ISSUER }))?.issuer, SIGHTLINE_OIDC_ISSUER)
      for (const SIGHTLINE_OIDC_ISSUER of ["http://login.example.com", "login.example.com", "https://a.example/?x=1"])
        assert.match(
          yield* problem({ ...BASIC, SIGHTLINE_OIDC_ISSUER }),
          /^SIGHTLINE_OIDC_ISSUER must be the https address .* but is '/,
        )
    }),
  )

  it.effect("say what is missing or wrong", () =>
    Effect.gen(function* () {
      assert.match(
        yield* problem({ SIGHTLINE_OIDC_DOMAINS: "example.com" }),
        /^SIGHTLINE_OIDC_DOMAINS needs SIGHTLINE_OIDC_ISSUER/,
      )
      assert.match(yield* problem({ SIGHTLINE_OIDC_ISSUER: "https://a.example" }), /^SIGHTLINE_OIDC_CLIENT_ID must be/)
      for (const [name, value, expected] of [
        ["ROLES", "sales=member", /ROLES and SIGHTLINE_OIDC_ORGANIZATION must be set together/],
        ["ORGANIZATION", "org_1", /ROLES and SIGHTLINE_OIDC_ORGANIZATION must be set together/],
        ["ROLES", "sales=boss", /roles viewer, member, admin, owner, but has 'sales=boss'/],
        ["ROLES", "sales", /but has 'sales'/],
        ["ROLES", "groups: ", /but has 'groups:'/],
        ["ROLES", ",", /must have a rule/],
        ["DOMAINS", "ada@example.com", /but has 'ada@example.com'/],
        ["SCOPES", 'a "b"', /must be scopes/],
      ] as const)
        assert.match(yield* problem({ ...BASIC, [`SIGHTLINE_OIDC_${name}`]: value }), expected)
    }),
  )
})
