import { map, type NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeIdUnsafe } from "../common/ids.ts"
import { type Actor, CurrentRequest } from "../http/CurrentRequest.ts"
import type { AuditAction } from "./actions.ts"

/** An act of a request that has ended. */
export interface Act {
  readonly action: AuditAction
  readonly target: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly actor: Actor | null
  readonly requestId: string | null
  readonly address: string | undefined
}

/**
 * Writes an audit entry. Call it inside the transaction of the act (`database.transaction`), so that both commit or
 * neither does. The actor, request id and address come from `CurrentRequest`; outside a request the actor is the operator.
 */
export const recordAct = (
  sql: SqlClient,
  org: string,
  action: AuditAction,
  target: string | null,
  details: Readonly<Record<string, unknown>> | null = null,
) => Effect.flatMap(currentActor, (by) => recordActs(sql, org, [{ action, target, details, ...by }]))

/** Who acts, in which request, from which address. */
export const currentActor = Effect.map(
  CurrentRequest,
  ({ id, received, actor, address }): Pick<Act, "actor" | "requestId" | "address"> => ({
    actor: actor ?? (received ? null : OPERATOR),
    requestId: received ? id : null,
    address,
  }),
)

/** Writes audit entries of acts that were counted before, in one statement. */
export const recordActs = (sql: SqlClient, org: string, acts: NonEmptyReadonlyArray<Act>) =>
  Effect.asVoid(
    sql`insert into audit_log ${sql.insert(
      map(acts, ({ action, target, details, actor, requestId, address }) => ({
        org_id: org,
        id: makeIdUnsafe("audit"),
        action,
        target,
        actor: actor === null ? null : JSON.stringify(actor),
        details: details === null ? null : JSON.stringify(details),
        request_id: requestId,
        address: address ?? null,
      })),
    )}`,
  )

/** The actor of the command line, and of a host that calls the services in its own process. */
const OPERATOR = { operator: true } as const
