import type { Fragment } from "effect/sql/Statement"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"

/** The part of a plan node that these tests read. */
export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Function Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const flatten = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(flatten)]

/** The output of `explain (analyze, format json)`. */
export const planOf = <E, R>(explained: Effect.Effect<ReadonlyArray<object>, E, R>) =>
  Effect.map(explained, (rows) => {
    const document = (rows[0] as Record<string, unknown> | undefined)?.["QUERY PLAN"]
    const [{ Plan }] = (typeof document === "string" ? JSON.parse(document) : document) as [{ Plan: PlanNode }]
    const nodes = flatten(Plan)
    const onDeals = nodes.filter((node) => node["Relation Name"] === "deals")
    return {
      plan: Plan,
      nodes,
      /** Tables with a sequential scan. */
      scanned: nodes.flatMap((node) => (node["Node Type"] === "Seq Scan" ? [node["Relation Name"]] : [])),
      indexes: nodes.flatMap((node) => node["Index Name"] ?? []),
      /** Rows of deals read, returned or not. */
      read: onDeals.reduce(
        (sum, node) => sum + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
        0,
      ),
    }
  })

/** Explains `statement` for the application's role, in the shape and scope of `Database.scoped`. */
export const explain = (org: string, statement: Fragment) =>
  Effect.flatMap(Database, ({ sql, transaction }) =>
    transaction(
      org,
      planOf(sql<object>`explain (analyze, format json, timing off)
        with scope as materialized (select set_config('sightline.organization', ${org}, true) as org)
        select answer.* from scope, lateral (select * from (${statement}) statement offset 0) answer`),
    ),
  )
