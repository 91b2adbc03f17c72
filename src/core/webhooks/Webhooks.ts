import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { readBounds, assertExpiryWithin } from "../access/lineage.ts"
import { makeId } from "../common/ids.ts"
import type { AuditAction } from "../audit/actions.ts"
import { recordAct } from "../audit/recordAct.ts"
import { Changes } from "../changes/Changes.ts"
import { CHANGE_TYPE_NAMES } from "../changes/contract.ts"
import { type BadRequest, Conflict, type Forbidden, NotFound } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { SigningKeys } from "../signing/SigningKeys.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { announceCommit } from "../storage/Commits.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { recordDue } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"
import type { CreatedWebhook, NewWebhook, Webhook, WebhookPatch } from "./contract.ts"
import { EVENT_TYPES } from "./events.ts"
import { makeSecret, makeSecretBox } from "./secrets.ts"
import {
  deleteWebhook,
  hurryDeliveries,
  insertWebhook,
  MAX_WEBHOOKS,
  updateWebhook,
  webhookColumns,
  WORK,
} from "./sql.ts"

/** Manages the addresses that receive changes. `Deliveries` manages what they receive. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** The new webhook receives changes from now on. */
    readonly create: (
      org: string,
      webhook: NewWebhook,
    ) => Effect.Effect<CreatedWebhook, BadRequest | Conflict | NotFound | DatabaseUnavailable>
    readonly list: (org: string) => Effect.Effect<ReadonlyArray<Webhook>, NotFound | DatabaseUnavailable>
    readonly find: (org: string, id: string) => Effect.Effect<Webhook, NotFound | DatabaseUnavailable>
    readonly update: (
      org: string,
      id: string,
      patch: WebhookPatch,
    ) => Effect.Effect<Webhook, BadRequest | Forbidden | NotFound | DatabaseUnavailable>
    readonly remove: (org: string, id: string) => Effect.Effect<void, NotFound | DatabaseUnavailable>
    /** Replaces the secret; for another `graceSeconds`, the old one also signs deliveries. */
    readonly rotate: (
      org: string,
      id: string,
      graceSeconds: number,
    ) => Effect.Effect<CreatedWebhook, Forbidden | NotFound | DatabaseUnavailable>
  }
>()("sightline/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const changes = yield* Changes
      const fetcher = yield* UrlFetcher
      const signing = yield* SigningKeys
      const publicColumns = webhookColumns(sql)

      const requireWebhook = Effect.fnUntraced(function* (org: string, statement: Fragment) {
        const [webhook] = yield* database.transaction(org, sql<Webhook>`${statement}`)
        return webhook ?? (yield* noWebhook)
      })
      /** A webhook expires with the key that last changed it, so a change by a longer-lived key extends it. */
      const change = (org: string, id: string, action: AuditAction, statement: (expiresAt: Fragment) => Fragment) =>
        database.transaction(
          org,
          Effect.gen(function* () {
            const [held] = yield* sql<{ expires_at: string | null }>`
              select ${sql.literal(utc("expires_at"))} as expires_at from webhooks
              where org_id = ${org} and id = ${id} for update`
            if (held === undefined) return yield* noWebhook
            const bounds = yield* readBounds(sql, org)
            yield* assertExpiryWithin(bounds, held.expires_at, "change a webhook")
            const [webhook] =
              yield* sql<Webhook>`${statement(sql`expires_at = ${bounds?.expires_at ?? null}::timestamptz`)}`
            if (webhook === undefined) return yield* noWebhook
            yield* recordAct(sql, org, action, id)
            return webhook
          }),
        )
      const checkUrl = (url: string) =>
        Effect.mapError(fetcher.check(url, "post"), ({ message }) =>
          badRequest({ invalid: [{ field: "url", reason: `is not allowed: ${message}` }] }),
        )

      return Webhooks.of({
        create: Effect.fn("Webhooks.create")(function* (org, { url, event_types = EVENT_TYPES, description = null }) {
          yield* checkUrl(url)
          const id = yield* makeId("wh")
          const secret = yield* makeSecret
          const now = yield* Effect.orDie(changes.page(org, { since: "now", types: CHANGE_TYPE_NAMES, size: 1 }))
          const row = {
            org_id: org,
            id,
            url,
            description,
            event_types: [...new Set(event_types)],
            secret: yield* makeSecretBox(signing, org, id).seal(secret),
            cursor: now.next,
            seen: now.watermark,
          }
          const [made] = yield* database.transaction(
            org,
            Effect.gen(function* () {
              yield* sql`select pg_advisory_xact_lock(hashtextextended(current_schema || ${`.webhooks ${org}`}, 0))`
              const bounds = yield* readBounds(sql, org)
              const made = yield* insertWebhook(sql, { ...row, created_by: bounds?.id, expires_at: bounds?.expires_at })
              if (made.length > 0) yield* recordAct(sql, org, "webhook.created", id)
              return made
            }),
          )
          if (made === undefined) {
            return yield* new Conflict({
              message: `an organization has at most ${MAX_WEBHOOKS} webhooks; delete one first`,
            })
          }
          return { ...made, secret }
        }),
        list: (org) =>
          database.scoped<Webhook>(
            org,
            sql`select ${publicColumns} from webhooks where org_id = scope.org order by webhooks.created_at, id collate "C"`,
          ),
        find: (org, id) =>
          requireWebhook(org, sql`select ${publicColumns} from webhooks where org_id = ${org} and id = ${id}`),
        update: Effect.fn("Webhooks.update")(function* (org, id, { url, event_types, description, status }) {
          if (url !== undefined) yield* checkUrl(url)
          const webhook = yield* change(org, id, "webhook.updated", (expiresAt) =>
            updateWebhook(sql, org, id, [
              expiresAt,
              ...(url === undefined ? [] : [sql`url = ${url}`]),
              ...(event_types === undefined ? [] : [sql`event_types = ${[...new Set(event_types)]}::text[]`]),
              ...(description === undefined ? [] : [sql`description = ${description}`]),
              ...(status === undefined ? [] : [sql`status = ${status}, notice = null, failing_since = null`]),
            ]),
          )
          if (status === "enabled") {
            yield* database.transaction(org, Effect.andThen(hurryDeliveries(sql, org, id), recordDue(WORK)))
            yield* announceCommit(org)
          }
          return webhook
        }),
        remove: (org, id) =>
          database.transaction(
            org,
            Effect.gen(function* () {
              const gone = yield* deleteWebhook(sql, org, id)
              if (gone.length === 0) return yield* noWebhook
              yield* recordAct(sql, org, "webhook.deleted", id)
            }),
          ),
        rotate: Effect.fn("Webhooks.rotate")(function* (org, id, graceSeconds) {
          const secret = yield* makeSecret
          const sealedSecret = yield* makeSecretBox(signing, org, id).seal(secret)
          const webhook = yield* change(org, id, "webhook.secret_rotated", (expiresAt) =>
            updateWebhook(sql, org, id, [
              sql`previous_secret = case when ${graceSeconds}::int > 0 then secret end`,
              sql`previous_expires_at = now() + ${graceSeconds}::int * interval '1 second'`,
              sql`secret = ${sealedSecret}`,
              expiresAt,
            ]),
          )
          return { ...webhook, secret }
        }),
      })
    }).pipe(inOrganization),
  )
}

const noWebhook = new NotFound({ message: "no webhook has this id" })
