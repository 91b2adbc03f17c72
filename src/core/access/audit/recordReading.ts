import * as Effect from "effect/Effect"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import type { Database } from "../../storage/Database.ts"
import type { AuditAction } from "./actions.ts"
import { recordAct } from "./recordAct.ts"

type Reading = Extract<AuditAction, "export.downloaded" | "document.downloaded" | "intelligence.exported">

/**
 * Writes an audit entry before data leaves. If the disk is full, the download continues and the process logs the entry
 * instead. `keyHash` identifies the key that requested a link, so that the entry can name it.
 */
export const recordReading = (
  { sql, transaction }: Database["Service"],
  { org, keyHash }: { readonly org: string; readonly keyHash?: Uint8Array | undefined },
  action: Reading,
  target: string | null,
) =>
  transaction(
    org,
    Effect.gen(function* () {
      if (keyHash !== undefined) {
        const [key] = yield* sql<{
          id: string
        }>`select id from api_keys where org_id = ${org} and link_hash(id) = ${keyHash}`
        const request = yield* CurrentRequest
        if (key !== undefined) request.actor = { key_id: key.id }
      }
      yield* recordAct(sql, org, action, target)
    }),
  ).pipe(
    Effect.catchTag("DatabaseUnavailable", (error) =>
      error.reason === "no_space"
        ? Effect.logWarning("the audit log could not be written: the disk is full", { org, action, target })
        : Effect.fail(error),
    ),
  )
