import * as Effect from "effect/Effect"
import { NotFound } from "../http/errors.ts"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { Database } from "../storage/Database.ts"
import type { Erased } from "./Operator.ts"

/**
 * Removes an organization with every row, then its files. `pending_erasures` names it until the files are gone, so that a crash in
 * between leaves work for `finishErasures`, not files.
 */
export const erase = Effect.fn("erase")(function* (
  database: Database["Service"],
  blobs: BlobStore["Service"],
  org: string,
) {
  const { sql } = database
  const known = yield* database.transaction(
    org,
    Effect.gen(function* () {
      // A large organization takes longer than a statement may otherwise.
      yield* sql`set local statement_timeout = 0`
      const gone = yield* sql`delete from organizations where id = ${org} returning id`
      // Counts and marks name the organization without a foreign key, which each insert would pay for.
      yield* Effect.forEach(
        ["passage_terms", "passage_totals", "stale_deal_records"],
        (table) => sql`delete from ${sql(table)} where org_id = ${org}`,
      )
      if (gone.length > 0) {
        yield* sql`insert into erasures (organization_hash) values (sha256(convert_to(${org}, 'UTF8')))`
        yield* sql`insert into pending_erasures ${sql.insert({ organization: org })} on conflict do nothing`
      }
      return gone.length > 0 || (yield* sql`select 1 from pending_erasures where organization = ${org}`).length > 0
    }),
  )
  if (!known) return yield* new NotFound({ message: `no organization has the id '${org}'` })
  return yield* removeFiles(database, blobs, org).pipe(
    Effect.as<Erased>({ id: org, files: "removed" }),
    Effect.catch((cause) =>
      Effect.as(Effect.logWarning("could not delete the files of an erased organization yet", cause), {
        id: org,
        files: "pending" as const,
      }),
    ),
  )
})

/** Goes on with erasures whose files are not removed yet. */
export const finishErasures = Effect.fnUntraced(function* (database: Database["Service"], blobs: BlobStore["Service"]) {
  const pending = yield* database.unscoped<{ organization: string }>(
    database.sql`select organization from pending_erasures order by erased_at limit 100`,
  )
  yield* Effect.forEach(
    pending,
    ({ organization }) =>
      Effect.catchCause(removeFiles(database, blobs, organization), (cause) =>
        Effect.logWarning("could not delete the files of an erased organization yet", cause),
      ),
    { discard: true },
  )
})

const removeFiles = (database: Database["Service"], blobs: BlobStore["Service"], org: string) =>
  Effect.andThen(
    blobs.removeAll(org),
    database.unscoped(database.sql`delete from pending_erasures where organization = ${org}`),
  )
