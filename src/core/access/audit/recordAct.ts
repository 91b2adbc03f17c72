import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeIdUnsafe } from "../../common/ids.ts"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import type { AuditAction } from "./actions.ts"

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
) =>
  Effect.withFiber((fiber) => {
    const request = fiber.getRef(CurrentRequest)
    const actor = request.actor ?? (request.received ? null : OPERATOR)
    return Effect.asVoid(
      sql`insert into audit_log ${sql.insert({
        org_id: org,
        id: makeIdUnsafe("audit"),
        action,
        target,
        actor: actor === null ? null : JSON.stringify(actor),
        details: details === null ? null : JSON.stringify(details),
        request_id: request.received ? request.id : null,
        address: request.address ?? null,
      })}`,
    )
  })

/** The actor of the command line, and of a host that calls the services in its own process. */
const OPERATOR = { operator: true } as const
