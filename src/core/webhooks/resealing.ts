import * as Effect from "effect/Effect"
import { SigningKeys } from "../signing/SigningKeys.ts"
import { Database } from "../storage/Database.ts"
import { makeSecretBox } from "./secrets.ts"
import { replaceSecrets } from "./sql.ts"

/** Webhooks per query. */
const BATCH_SIZE = 100

interface SealedRow {
  readonly org_id: string
  readonly id: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
}

/**
 * Reseals the webhook secrets of every organization with the current signing secret after it was rotated. Does not
 * overwrite a secret that a caller rotates meanwhile. Returns the number of resealed webhooks.
 */
export const reseal = Effect.gen(function* () {
  const signing = yield* SigningKeys
  const { sql, transaction, unscoped } = yield* Database
  let count = 0
  for (let after = ""; ;) {
    const rows = yield* unscoped<SealedRow>(sql`select * from sealed_webhooks(${after}, ${BATCH_SIZE}::int)`)
    for (const { org_id: org, id, secret, previous_secret: previous } of rows) {
      const box = makeSecretBox(signing, org, id)
      const [renewed, renewedPrevious] = [
        yield* box.reseal(secret),
        previous === null ? undefined : yield* box.reseal(previous),
      ]
      if (renewed === undefined && renewedPrevious === undefined) continue
      const resealed = yield* transaction(
        org,
        replaceSecrets(sql, org, id, secret, { secret: renewed ?? secret, previous: renewedPrevious ?? previous }),
      )
      count += resealed.length
    }
    after = rows.at(-1)?.id ?? ""
    if (rows.length < BATCH_SIZE) return count
  }
})
