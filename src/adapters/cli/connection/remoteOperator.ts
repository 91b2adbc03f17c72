import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ApiKey, CreatedKey } from "../../../core/access/ApiKeys.ts"
import type { Export } from "../../../core/exports/contract.ts"
import type { Receipt } from "../../../core/library/Documents.ts"
import { type DocumentProgress, type Erased, Operator, type OrganizationPage } from "../../../core/operator/Operator.ts"
import type { ImportReport } from "../../../core/workspace/Import.ts"
import type { Organization } from "../../../core/workspace/Organizations.ts"
import type { Target } from "../../../core/library/targets.ts"
import { bodyOf, connection, eventsOf } from "./operatorRequests.ts"

/** The operator's actions through a running server. */
export const remoteOperator = (server: string, key: string) => {
  const { ask, json, streamed } = connection(server, key)
  const within = (org: string, path = "") => `/organizations/${encodeURIComponent(org)}${path}`
  const post = (path: string, body: object) =>
    ({ path, method: "POST", body: JSON.stringify(body), type: "application/json" }) as const

  return Operator.of({
    server,
    list: (after) =>
      json<OrganizationPage>({
        path: "/organizations",
        query: { cursor: after },
      }),
    find: (org) => json<Organization>({ path: within(org) }),
    create: (organization) => json<Organization>(post("/organizations", organization)),
    change: (org, patch) => json<Organization>({ ...post(within(org), patch), method: "PATCH" }),
    erase: (org) => json<Erased>({ path: within(org), method: "DELETE" }),
    listKeys: (org) =>
      Effect.map(json<{ readonly data: ReadonlyArray<ApiKey> }>({ path: within(org, "/keys") }), ({ data }) => data),
    createKey: (org, { name, role, environment, permissions, requestsPerMinute, expiresAt }) =>
      json<CreatedKey>(
        post(within(org, "/keys"), {
          name,
          role,
          environment,
          permissions,
          requests_per_minute: requestsPerMinute,
          expires_at: expiresAt,
        }),
      ),
    rotateKey: (org, id, graceSeconds) =>
      json<CreatedKey>(post(within(org, `/keys/${encodeURIComponent(id)}/rotate`), { grace_seconds: graceSeconds })),
    revokeKey: (org, id) => json<ApiKey>({ path: within(org, `/keys/${encodeURIComponent(id)}`), method: "DELETE" }),
    importFile: (org, { format, type, map, dates, bytes }) =>
      streamed<ImportReport, _Error<typeof bytes>>(
        {
          path: within(org, "/import"),
          method: "POST",
          type: format === "csv" ? "text/csv" : "application/x-ndjson",
          query: { type, map: map === undefined ? undefined : JSON.stringify(map), dates },
        },
        bytes,
      ),
    upload: (org, target, { file_name, content_type, replacesSameName, bytes }) =>
      streamed<Receipt, _Error<typeof bytes>>(
        {
          path: within(org, "/documents"),
          method: "POST",
          type: "application/octet-stream",
          query: {
            file_name,
            content_type,
            ...queryOf(target),
            replaces_same_name: replacesSameName ? "true" : undefined,
          },
        },
        bytes,
      ),
    document: (org, id) => json<DocumentProgress>({ path: within(org, `/documents/${encodeURIComponent(id)}`) }),
    ask: (org, question) => Effect.map(ask(post(within(org, "/responses"), { question })), eventsOf),
    startExport: (org, { columns, filters, csvSafe }) =>
      Effect.map(
        json<{ readonly export_id: string }>(post(within(org, "/exports"), { columns, filters, csv_safe: csvSafe })),
        ({ export_id }) => export_id,
      ),
    findExport: (org, id) => json<Export>({ path: within(org, `/exports/${encodeURIComponent(id)}`) }),
    exportFile: (org, id) => Effect.map(ask({ path: within(org, `/exports/${encodeURIComponent(id)}/file`) }), bodyOf),
  })
}

type _Error<S> = S extends Stream.Stream<unknown, infer E, infer _R> ? E : never

const queryOf = (target: Target) =>
  "deal" in target ? target.deal : { type: target.type, competitor: target.competitor }
