import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ApiKey, CreatedKey } from "../../../core/access/ApiKeys.ts"
import { isPermission, PERMISSIONS, type Role } from "../../../core/access/permissions.ts"
import { Operator } from "../../../core/operator/Operator.ts"
import { print, table } from "../terminal/output.ts"
import { asOperator, Usage } from "../connection/workspace.ts"

/** The limits of the HTTP API: see the contract of `/keys`. */
const MAX_PER_MINUTE = 100_000
const MAX_GRACE_SECONDS = 30 * 86_400

interface Common {
  readonly organization: string
  readonly json: boolean
}

interface NewKeyInput extends Common {
  readonly role: Role
  readonly name: string
  readonly test: boolean
  readonly permissions: Option.Option<string>
  readonly perMinute: Option.Option<number>
  readonly expires: Option.Option<string>
}

export const create = Effect.fnUntraced(function* (input: NewKeyInput) {
  const permissions = Option.map(input.permissions, (text) => text.split(",").map((name) => name.trim()))
  const unknown = Option.getOrElse(permissions, () => []).find((name) => !isPermission(name))
  if (unknown !== undefined) {
    return yield* new Usage({
      message: `--permissions: '${unknown}' is not one of ${Object.keys(PERMISSIONS).join(", ")}`,
    })
  }
  if (Option.exists(input.perMinute, (limit) => limit < 1 || limit > MAX_PER_MINUTE)) {
    return yield* new Usage({ message: `--per-minute must be 1 to ${MAX_PER_MINUTE}` })
  }
  const expires = Option.map(input.expires, (text) => new Date(text))
  if (Option.exists(expires, (at) => Number.isNaN(at.getTime()) || at.getTime() <= Date.now())) {
    return yield* new Usage({ message: "--expires must be a future date, such as 2027-01-31" })
  }
  const key = yield* asOperator(
    Operator.use((operator) =>
      operator.createKey(input.organization, {
        name: input.name,
        role: input.role,
        environment: input.test ? "test" : "live",
        permissions: Option.getOrUndefined(permissions),
        requestsPerMinute: Option.getOrUndefined(input.perMinute),
        expiresAt: Option.getOrUndefined(Option.map(expires, (at) => at.toISOString())),
      }),
    ),
  )
  yield* printSecret(input.json, key)
})

export const list = Effect.fnUntraced(function* (input: Common) {
  const keys = yield* asOperator(Operator.use((operator) => operator.listKeys(input.organization)))
  yield* print(
    input.json,
    keys,
    keys.length === 0 ? ["No keys."] : table(["ID", "NAME", "ROLE", "KEY", "CREATED", "STATE"], keys.map(row)),
  )
})

export const rotate = Effect.fnUntraced(function* (input: Common & { readonly id: string; readonly grace: number }) {
  if (input.grace < 0 || input.grace > MAX_GRACE_SECONDS) {
    return yield* new Usage({ message: `--grace must be 0 to ${MAX_GRACE_SECONDS} seconds (30 days)` })
  }
  const key = yield* asOperator(
    Operator.use((operator) => operator.rotateKey(input.organization, input.id, input.grace)),
  )
  yield* printSecret(input.json, key)
})

export const revoke = Effect.fnUntraced(function* (input: Common & { readonly id: string }) {
  const key = yield* asOperator(Operator.use((operator) => operator.revokeKey(input.organization, input.id)))
  yield* print(input.json, key, [`Revoked ${key.id} (${key.name}).`])
})

const printSecret = (json: boolean, key: CreatedKey) =>
  print(json, key, [key.key, "", `${key.id}, role ${key.role}. Save the secret now: it is not shown again.`])

const row = (key: ApiKey) => [
  key.id,
  key.name,
  key.role,
  `${key.display}…`,
  key.created_at.slice(0, 10),
  key.revoked_at !== null ? "revoked" : key.expires_at !== null ? `until ${key.expires_at}` : "live",
]
