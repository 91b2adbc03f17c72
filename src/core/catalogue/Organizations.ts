import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeIdUnsafe } from "../common/ids.ts"
import type { Plan } from "../access/plans.ts"
import { recordAct } from "../audit/recordAct.ts"
import { normalize, SETTINGS, type WorkspaceSettings, WorkspaceSettingsPatch } from "./settings.ts"
import { type BadRequest, Conflict, type NotFound } from "../http/errors/errors.ts"
import { decodeInput } from "../http/validation/decodeInput.ts"
import { badRequest, notOneOf } from "../http/validation/validation.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { markStaleOf } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"
import { unknownOrganization } from "../storage/inOrganization.ts"
import { erase } from "./erase.ts"
import {
  type Erased,
  GivenOrganization,
  type ListedOrganization,
  type NewOrganization,
  type Organization,
  type OrganizationPage,
  OrganizationPatch,
} from "./organization.ts"
import type { SqlClient } from "effect/sql/SqlClient"
import { DEFAULT_ZONE, isZone } from "../common/zone.ts"
import { nearest } from "../common/nearest.ts"

/** Finds the spelling of a zone's name in the database. Fails unless the database and the runtime both know it. Null is the default. */
const findZone = Effect.fnUntraced(function* (sql: SqlClient, given: string | null) {
  if (given === null) return DEFAULT_ZONE
  const wanted = given.trim()
  // The view reads the files of all zones, which takes some 50 ms.
  const known = (yield* sql<{ name: string }>`select name from pg_timezone_names`).map(({ name }) => name)
  const found = known.find((name) => name.toLowerCase() === wanted.toLowerCase())
  if (found !== undefined && isZone(found)) return found
  const reason =
    found === undefined
      ? `must be the IANA name of a time zone, such as Europe/Berlin; '${wanted}' is not one`
      : `must be a time zone that this server knows, too; its database knows '${wanted}', but its runtime does not`
  const near = nearest(
    wanted,
    known.filter((name) => name !== found && !LINKED.test(name)),
  ).find(isZone)
  return yield* badRequest({
    invalid: [{ field: "timezone", reason, ...(near !== undefined && { did_you_mean: near }) }],
  })
})

/** Copies of all zones with and without leap seconds. */
const LINKED = /^(?:posix|right)\//

export type { Organization }

/** Organizations per page of `list`. */
const PAGE_SIZE = 200

/** Creates, finds, changes and erases tenants. A key gives access to one tenant only. */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** Without `id`, generates one. Fails with Conflict if an organization has the id. */
    readonly create: (
      organization: NewOrganization,
    ) => Effect.Effect<Organization, BadRequest | Conflict | DatabaseUnavailable>
    /**
     * Makes sure that the organization exists and has this name and plan, which replace others. Any number of calls may run at the
     * same time; one that changes nothing only reads. Fails with Conflict while the files of an erased organization of
     * this id are still being deleted.
     */
    readonly ensure: (
      organization: GivenOrganization,
    ) => Effect.Effect<Organization, BadRequest | Conflict | DatabaseUnavailable>
    /** Up to 200 organizations in the order of their ids, after `cursor`: the `next_cursor` of the page before. */
    readonly list: (query?: {
      readonly cursor?: string | undefined
    }) => Effect.Effect<OrganizationPage, DatabaseUnavailable>
    /** Undefined if there is no such organization. */
    readonly find: (id: string) => Effect.Effect<Organization | undefined, DatabaseUnavailable>
    /** Changes the name and the plan. */
    readonly update: (
      id: string,
      patch: OrganizationPatch,
    ) => Effect.Effect<Organization, BadRequest | NotFound | DatabaseUnavailable>
    /** Changes the settings of its workspace; those that the patch omits stay unchanged. */
    readonly change: (
      id: string,
      patch: WorkspaceSettingsPatch,
    ) => Effect.Effect<WorkspaceSettings, BadRequest | NotFound | DatabaseUnavailable>
    /** Deletes an organization with all rows and files. This cannot be undone. */
    readonly erase: (id: string) => Effect.Effect<Erased, NotFound | DatabaseUnavailable>
  }
>()("sightline/catalogue/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const context = Context.make(Database, database).pipe(Context.add(BlobStore, yield* BlobStore))
      const assertPlan = Effect.fnUntraced(function* (plan: Plan) {
        const plans = (yield* sql<{ name: Plan }>`select name from plans order by name collate "C"`).map(
          ({ name }) => name,
        )
        if (!plans.includes(plan)) return yield* badRequest({ invalid: [notOneOf("plan", plan, plans)] })
      })
      /** Returns whether the organization is new. Waits for another transaction that inserts or deletes the same id. */
      const insert = Effect.fnUntraced(function* ({ id, name, plan }: Organization) {
        yield* assertPlan(plan)
        const inserted = yield* sql`
          insert into organizations ${sql.insert({ id, name, plan })} on conflict do nothing returning id`
        if (inserted.length === 0) return false
        // Otherwise the end of the erasure would delete the files of the new organization.
        const pending = yield* sql`select 1 from pending_erasures where organization = ${id}`
        if (pending.length > 0) return yield* beingErased(id)
        yield* sql`insert into organization_usage ${sql.insert({ org_id: id })}`
        yield* recordAct(sql, id, "organization.created", id)
        return true
      })
      const find = Effect.fn("Organizations.find")(function* (id: string) {
        const [organization] = yield* database.scoped<Organization>(
          id,
          sql`select id, name, plan from organizations where id = scope.org`,
        )
        return organization
      })
      return Organizations.of({
        create: Effect.fn("Organizations.create")(function* (given) {
          const organization = yield* check({ ...given, id: given.id ?? makeIdUnsafe("org") })
          const { id } = organization
          yield* database.transaction(
            id,
            Effect.flatMap(insert(organization), (isNew) => (isNew ? Effect.void : Effect.fail(taken(id)))),
          )
          return organization
        }),
        ensure: Effect.fn("Organizations.ensure")(function* (given) {
          const organization = yield* check(given)
          const { id, name, plan } = organization
          if (isSame(yield* find(id), organization)) return organization
          yield* database.transaction(
            id,
            Effect.gen(function* () {
              if (yield* insert(organization)) return
              const [before] = yield* sql<Organization>`
                select id, name, plan from organizations where id = ${id} for no key update`
              if (before === undefined) return yield* beingErased(id)
              if (isSame(before, organization)) return
              yield* sql`update organizations set name = ${name}, plan = ${plan} where id = ${id}`
              yield* recordAct(sql, id, "organization.updated", id, { name, plan })
            }),
          )
          return organization
        }),
        list: Effect.fn("Organizations.list")(function* ({ cursor = "" } = {}) {
          const rows = yield* database.unscoped<ListedOrganization>(
            sql`select id, name, plan, ${sql.literal(utc("created_at"))} as created_at
                from list_organizations(${cursor}, ${PAGE_SIZE + 1}::int)`,
          )
          const data = rows.slice(0, PAGE_SIZE)
          return { data, next_cursor: rows.length > PAGE_SIZE ? data.at(-1)!.id : null }
        }),
        find,
        erase: (id) => Effect.provideContext(erase(id), context),
        change: Effect.fn("Organizations.change")(function* (id, patch) {
          const { timezone, ...others } = normalize(yield* checkSettings(patch))
          const [settings] = yield* database.transaction(
            id,
            Effect.gen(function* () {
              const zone = timezone === undefined ? {} : { timezone: yield* findZone(sql, timezone) }
              const values = Object.entries({ ...others, ...zone })
              if (values.length > 0) {
                const set = values.map(([column, value]) =>
                  column === "rubrics"
                    ? sql`rubrics = ${JSON.stringify(value)}::jsonb`
                    : sql`${sql(column)} = ${value as typeof others.name}`,
                )
                const [before] = yield* sql<WorkspaceSettings>`
                  select currency from organizations where id = ${id} for no key update`
                yield* sql`update organizations set ${sql.csv(set)} where id = ${id}`
                const { currency } = others
                if (currency !== undefined && currency !== before?.currency) {
                  // A deal's record shows its amount with the currency.
                  yield* markStaleOf(sql`select id from deals where org_id = ${id} and amount is not null`)
                }
                yield* recordAct(sql, id, "workspace.updated", null, { settings: values.map(([column]) => column) })
              }
              return yield* sql<WorkspaceSettings>`
                select ${sql.literal(SETTINGS)} from organizations where id = ${id}`
            }),
          )
          return settings ?? (yield* unknownOrganization(id))
        }),
        update: Effect.fn("Organizations.update")(function* (id, patch) {
          const { name, plan } = yield* checkPatch(patch)
          return yield* database.transaction(
            id,
            Effect.gen(function* () {
              if (plan !== undefined) yield* assertPlan(plan)
              const [updated] = yield* sql<Organization>`
                update organizations set name = coalesce(${name ?? null}, name), plan = coalesce(${plan ?? null}, plan)
                where id = ${id} returning id, name, plan`
              if (updated === undefined) return yield* unknownOrganization(id)
              yield* recordAct(sql, id, "organization.updated", id, { name, plan })
              return updated
            }),
          )
        }),
      })
    }),
  )
}

const check = decodeInput(GivenOrganization, "organization")
const checkPatch = decodeInput(OrganizationPatch, "patch")
const checkSettings = decodeInput(WorkspaceSettingsPatch, "patch")

const isSame = (one: Organization | undefined, other: Organization) =>
  one?.name === other.name && one.plan === other.plan

const taken = (id: string) =>
  new Conflict({
    message: `an organization has the id '${id}' already; choose another id, or change that organization`,
  })

const beingErased = (id: string) =>
  new Conflict({ message: `the organization '${id}' is being erased; create it again in some minutes` })
