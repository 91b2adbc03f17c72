import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { ApiKeys } from "../access/ApiKeys.ts"
import { unrestricted } from "../answers/Asker.ts"
import { Responses } from "../answers/Responses.ts"
import { Audit } from "../access/audit/Audit.ts"
import { Exports } from "../exports/Exports.ts"
import { mapBlobErrors } from "../http/blobErrors.ts"
import { NotFound } from "../http/errors.ts"
import { JobQueue } from "../jobs/JobQueue.ts"
import { Documents } from "../library/Documents.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import { Import } from "../workspace/Import.ts"
import { Organizations } from "../workspace/Organizations.ts"
import { erase } from "./erase.ts"
import { type ListedOrganization, Operator } from "./Operator.ts"

/** Organizations per page. */
const PAGE_SIZE = 200

/** The operator's acts on the database of this process. */
export const layerOperator = Layer.effect(
  Operator,
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const organizations = yield* Organizations
    const keys = yield* ApiKeys
    const audit = yield* Audit
    const imports = yield* Import
    const documents = yield* Documents
    const jobs = yield* JobQueue
    const responses = yield* Responses
    const exports = yield* Exports
    const blobs = yield* BlobStore
    const context = yield* Effect.context<BlobStore | Database>()

    const find = Effect.fnUntraced(function* (org: string) {
      return (
        (yield* organizations.find(org)) ?? (yield* new NotFound({ message: `no organization has the id '${org}'` }))
      )
    })

    /** Runs `act` if the organization exists; fails with NotFound otherwise. */
    const requireOrganization =
      <Args extends ReadonlyArray<unknown>, A, E, R>(act: (org: string, ...args: Args) => Effect.Effect<A, E, R>) =>
      (org: string, ...args: Args) =>
        Effect.andThen(find(org), act(org, ...args))

    return Operator.of({
      server: undefined,
      list: Effect.fn("Operator.list")(function* (after) {
        const rows = yield* database.unscoped<ListedOrganization>(
          sql`select id, name, plan, ${sql.literal(utc("created_at"))} as created_at
              from list_organizations(${after ?? ""}, ${PAGE_SIZE + 1}::int)`,
        )
        const data = rows.slice(0, PAGE_SIZE)
        return { data, next_cursor: rows.length > PAGE_SIZE ? data.at(-1)!.id : null }
      }),
      find,
      create: (organization) => organizations.create(organization),
      change: Effect.fn("Operator.change")(function* (org, patch) {
        return (yield* organizations.update(org, patch)) ?? (yield* find(org))
      }),
      erase: (org) => Effect.provideContext(erase(org), context),
      listKeys: requireOrganization(keys.list),
      createKey: requireOrganization(keys.create),
      rotateKey: requireOrganization(keys.rotate),
      revokeKey: requireOrganization(keys.revoke),
      importFile: (org, file) => Effect.andThen(find(org), imports.run(org, file)),
      upload: (org, target, file) => Effect.andThen(find(org), mapBlobErrors(documents.upload(org, target, file))),
      document: Effect.fn("Operator.document")(function* (org, id) {
        const document = yield* documents.get(org, id)
        const [run] = yield* database.scoped<{ id: string }>(
          org,
          sql`select id from jobs where org_id = scope.org and subject = ${id} order by created_at desc limit 1`,
        )
        const found = run === undefined ? undefined : yield* jobs.find(org, run.id)
        return { document, run: found === undefined ? null : { stage: found.stage, progress: found.progress } }
      }),
      ask: (org, question) =>
        Effect.andThen(find(org), responses.stream(unrestricted(org), [{ role: "user", content: question }], [])),
      startExport: requireOrganization(exports.submit),
      findExport: requireOrganization(exports.find),
      exportFile: Effect.fn("Operator.exportFile")(function* (org, id) {
        const { file } = yield* exports.file(org, id)
        yield* audit.recordReading({ org }, "export.downloaded", id)
        return Stream.mapError(
          yield* mapBlobErrors(blobs.get(file)),
          ({ message }) => new DatabaseUnavailable({ message }),
        )
      }),
    })
  }),
)
