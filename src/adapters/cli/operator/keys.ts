import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ApiKey, CreatedKey } from "../../../core/keys/ApiKeys.ts"
import { isPermission, PERMISSIONS, type Role } from "../../../core/access/permissions.ts"
import type { Client } from "../../client/client.ts"
import type { Calls } from "../connection/client.ts"
import { asOperator } from "../connection/operator.ts"
import { Usage } from "../connection/workspace.ts"
import { print, table } from "../terminal/output.ts"

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
  const key = yield* asOperator(({ within }) =>
    within(input.organization).call((client, signal) =>
      client.access.createKey(
        {
          name: input.name,
          role: input.role,
          environment: input.test ? "test" : "live",
          ...(Option.isSome(permissions) && { permissions: permissions.value.filter(isPermission) }),
          ...(Option.isSome(input.perMinute) && { requests_per_minute: input.perMinute.value }),
          ...(Option.isSome(expires) && { expires_at: expires.value.toISOString() }),
        },
        { signal },
      ),
    ),
  )
  yield* printSecret(input.json, key)
})

export const list = Effect.fnUntraced(function* (input: Common) {
  const keys = yield* asOperator(({ within }) => listKeys(within(input.organization)))
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
  const key = yield* asOperator(({ within }) =>
    within(input.organization).call((client, signal) =>
      client.access.rotateKey({ id: input.id, grace_seconds: input.grace }, { signal }),
    ),
  )
  yield* printSecret(input.json, key)
})

export const revoke = Effect.fnUntraced(function* (input: Common & { readonly id: string }) {
  const keys = yield* asOperator(({ within }) => {
    const calls = within(input.organization)
    return Effect.andThen(
      calls.call((client, signal) => client.access.revokeKey({ id: input.id }, { signal })),
      listKeys(calls),
    )
  })
  const revoked = keys.find(({ id }) => id === input.id)
  yield* print(input.json, revoked, [`Revoked ${input.id} (${revoked?.name}).`])
})

const listKeys = ({ call }: Calls<Client>) =>
  Effect.map(
    call((client, signal) => client.access.listKeys({}, { signal })),
    ({ data }) => data,
  )

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
