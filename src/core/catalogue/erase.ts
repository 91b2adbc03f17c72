import * as Effect from "effect/Effect"
import { currentActor } from "../audit/recordAct.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { asBackground } from "../storage/CurrentClass.ts"
import { Database } from "../storage/Database.ts"
import { forgetOrganization, unknownOrganization } from "../storage/inOrganization.ts"
import type { Erased } from "./organization.ts"

/** A job that writes for the organization may deadlock with the deletion, and PostgreSQL ends one of the two. Jobs retry by themselves. */
const MAX_RETRIES = 3

/**
 * Deletes an organization with all rows, then its files. `pending_erasures` names it until the files are gone, so that
 * `finishErasures` can finish after a crash.
 */
export const erase = Effect.fn("erase")(function* (org: string) {
  const database = yield* Database
  const { sql, transaction } = database
  const deletion = transaction(
    org,
    Effect.gen(function* () {
      // Deleting a large organization takes longer than the default timeout.
      yield* sql`set local statement_timeout = 0`
      const deleted = yield* sql`delete from organizations where id = ${org} returning id`
      // These tables have no foreign key to organizations: each insert would pay for it, or Citus has the two in different places.
      yield* Effect.forEach(
        ["passage_terms", "passage_totals", "stale_deal_records", "api_keys", "organization_usage"],
        (table) => sql`delete from ${sql(table)} where org_id = ${org}`,
      )
      if (deleted.length > 0) {
        const { actor, requestId, address = null } = yield* currentActor
        yield* sql`insert into erasures (organization_hash, actor, request_id, address)
          values (sha256(convert_to(${org}, 'UTF8')), ${actor === null ? null : JSON.stringify(actor)}, ${requestId}, ${address})`
        yield* sql`insert into pending_erasures ${sql.insert({ organization: org })} on conflict do nothing`
      }
      return deleted.length > 0 || (yield* sql`select 1 from pending_erasures where organization = ${org}`).length > 0
    }),
  )
  const known = yield* Effect.retry(deletion, { times: MAX_RETRIES })
  forgetOrganization(database, org)
  if (!known) return yield* unknownOrganization(org)
  return yield* finish(org)
}, asBackground)

/** Finishes erasures whose files are not deleted yet. */
export const finishErasures = Effect.gen(function* () {
  const { sql, unscoped } = yield* Database
  const pending = yield* unscoped<{ organization: string }>(
    sql`select organization from pending_erasures order by erased_at limit 100`,
  )
  yield* Effect.forEach(
    pending,
    ({ organization }) =>
      Effect.catchCause(finish(organization), (cause) =>
        Effect.logWarning("could not finish the erasure of an organization yet", cause),
      ),
    { discard: true },
  )
})

/** Deletes the files and what the database's own files still have. `pending_erasures` names the organization until both are done. */
const finish = Effect.fnUntraced(function* (org: string) {
  const { sql, unscoped, vacuumAfterErasing } = yield* Database
  const removing = Effect.matchEffect((yield* BlobStore).removeAll(org), {
    onSuccess: () => Effect.succeed(true),
    onFailure: (cause) =>
      Effect.as(Effect.logWarning("could not delete the files of an erased organization yet", cause), false),
  })
  if (!(yield* removing)) return { id: org, files: "pending" } satisfies Erased
  yield* Effect.gen(function* () {
    yield* vacuumAfterErasing()
    yield* unscoped(sql`delete from pending_erasures where organization = ${org}`)
    yield* vacuumAfterErasing(["pending_erasures"])
  }).pipe(Effect.catch((cause) => Effect.logWarning("could not free the space of an erased organization yet", cause)))
  return { id: org, files: "removed" } satisfies Erased
})
