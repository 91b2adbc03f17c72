import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Permission, type Role, ROLES } from "../access/permissions.ts"
import { decodeInput } from "../http/validation/decodeInput.ts"
import { badRequest } from "../http/validation/validation.ts"
import { NewApiKey, Rotation } from "./contract.ts"

const { requests_per_minute, expires_at, ...sameNames } = NewApiKey.fields

/** Reads the input of `ApiKeys.create`: the body of `POST /keys` under the service's names. */
export const decodeNewKey = decodeInput(
  Schema.Struct({ ...sameNames, requestsPerMinute: requests_per_minute, expiresAt: expires_at }),
  "key",
)

/** Reads the time of `ApiKeys.rotate`. */
export const decodeRotation = decodeInput(Schema.Struct({ graceSeconds: Rotation.fields.grace_seconds }))

/** Rejects a new key with permissions that its role lacks, or with an expiry in the past. `expiry` has the caller's name of the time. */
export const assertUsable = Effect.fnUntraced(function* (
  { role, permissions = [] }: { readonly role: Role; readonly permissions?: ReadonlyArray<Permission> | undefined },
  expiry: Readonly<Record<string, string | undefined>>,
) {
  const now = yield* Clock.currentTimeMillis
  const beyond = permissions.filter((permission) => !ROLES[role].includes(permission))
  const invalid = [
    ...(beyond.length === 0
      ? []
      : [
          {
            field: "permissions",
            reason: `must be permissions of role '${role}', which does not have ${beyond.join(", ")}; choose a higher role or omit them`,
          },
        ]),
    ...Object.entries(expiry)
      .filter(([, time]) => time !== undefined && Date.parse(time) <= now)
      .map(([field]) => ({ field, reason: "must be in the future" })),
  ]
  if (invalid.length > 0) return yield* badRequest({ invalid })
})
