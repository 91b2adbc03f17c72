import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeId } from "../common/ids.ts"
import type { Plan } from "../access/plans.ts"
import { recordAct } from "../access/audit/recordAct.ts"
import { normalized, type WorkspaceSettings, type WorkspaceSettingsPatch } from "./catalogue/settings.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { markStaleOf } from "../storage/recordChanges.ts"

export interface Organization {
  readonly id: string
  readonly name: string
  readonly plan: Plan
}

/** Tenants. Nothing of one can be reached with a key of another. */
export class Organizations extends Context.Service<
  Organizations,
  {
    readonly create: (organization: {
      /** Made unless given. */
      readonly id?: string | undefined
      readonly name: string
      readonly plan: Plan
    }) => Effect.Effect<Organization, DatabaseUnavailable>
    /** Settings that the patch leaves out stay as they are. */
    readonly change: (
      id: string,
      patch: WorkspaceSettingsPatch,
    ) => Effect.Effect<WorkspaceSettings, DatabaseUnavailable>
    readonly find: (id: string) => Effect.Effect<Organization | undefined, DatabaseUnavailable>
  }
>()("sightline/workspace/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      return Organizations.of({
        create: Effect.fn("Organizations.create")(function* ({ id: given, name, plan }) {
          const id = given ?? (yield* makeId("org"))
          yield* database.transaction(
            id,
            Effect.all([
              sql`insert into organizations ${sql.insert({ id, name, plan })}`,
              sql`insert into organization_usage ${sql.insert({ org_id: id })}`,
              recordAct(sql, id, "organization.created", id),
            ]),
          )
          return { id, name, plan }
        }),
        change: Effect.fn("Organizations.change")(function* (id, patch) {
          const values = Object.entries(normalized(patch))
          const [settings] = yield* database.transaction(
            id,
            Effect.gen(function* () {
              if (values.length > 0) {
                const set = values.map(([column, value]) => sql`${sql(column)} = ${value}`)
                const [before] = yield* sql<WorkspaceSettings>`
                  select currency from organizations where id = ${id} for no key update`
                yield* sql`update organizations set ${sql.csv(set)} where id = ${id}`
                const { currency } = normalized(patch)
                if (currency !== undefined && currency !== before?.currency) {
                  // A deal's record shows its amount with the currency.
                  yield* markStaleOf(sql`select id from deals where org_id = ${id} and amount is not null`)
                }
                yield* recordAct(sql, id, "workspace.updated", null, { settings: values.map(([column]) => column) })
              }
              return yield* sql<WorkspaceSettings>`
                select name, currency, fiscal_start, our_names, our_domains from organizations where id = ${id}`
            }),
          )
          return settings ?? (yield* Effect.die("the organization is gone"))
        }),
        find: Effect.fn("Organizations.find")(function* (id: string) {
          const [organization] = yield* database.scoped<Organization>(
            id,
            sql`select id, name, plan from organizations where id = scope.org`,
          )
          return organization
        }),
      })
    }),
  )
}
