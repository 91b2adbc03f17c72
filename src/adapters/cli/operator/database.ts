import * as Effect from "effect/Effect"
import { forgetFingerprint } from "../../../core/signing/fingerprint.ts"
import { Database } from "../../../core/storage/Database.ts"
import { print } from "../terminal/output.ts"
import { inWorkspace } from "../connection/workspace.ts"

/** Prints the schema's migrations; opening the database has already applied them. */
export const migrate = (input: { readonly json: boolean }) =>
  inWorkspace(
    Effect.gen(function* () {
      const database = yield* Database
      const rows = yield* database.unscoped<{ readonly migration_id: number; readonly name: string }>(
        database.sql`select migration_id, name from migrations order by migration_id`,
      )
      const migrations = rows.map(({ migration_id, name }) => ({ id: migration_id, name }))
      yield* print(input.json, { migrations }, [
        `The schema is up to date: ${migrations.map(({ id, name }) => `${id} ${name}`).join(", ")}`,
      ])
    }),
  )

/** Lets the next start accept another signing secret, after the current one is lost. */
export const replaceSigningSecret = (input: { readonly json: boolean }) =>
  Effect.andThen(
    inWorkspace(forgetFingerprint),
    print(input.json, { replaced: true }, [
      "The next start can use a new signing secret. Existing links stop; each webhook waits until its secret is rotated.",
    ]),
  )
