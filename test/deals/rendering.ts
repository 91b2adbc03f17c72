import { compareText } from "./oracleOrder.ts"
import { type Row, SCORES, type Workspace } from "./workspace.ts"

/** Renders a deal with every standard column as the contract describes it, from plain rows and without the service's code. */
export const rendered = (deal: Row, world: Workspace, segments: ReadonlyArray<Row> = []): Record<string, unknown> => {
  const find = (table: keyof Workspace, id: unknown): Row | undefined => world[table].find((row) => row["id"] === id)
  const linked = (table: keyof Workspace) => world[table].filter((row) => row["deal_id"] === deal["id"])
  const byName = (a: Row, b: Row) => compareText(a["name"], b["name"]) || compareText(a["id"], b["id"])
  const client = find("clients", deal["client_id"])
  const competitors = linked("deal_competitors")
    .map(({ competitor_id, is_primary, is_incumbent }) => ({
      id: competitor_id,
      name: find("competitors", competitor_id)?.["name"],
      is_primary,
      is_incumbent,
    }))
    .sort((a, b) => Number(b.is_primary) - Number(a.is_primary) || byName(a, b))
  const primary = competitors.find((each) => each.is_primary)
  const own = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, deal[name]]))
  return {
    ...own("id", "name", "amount", "status_id", "previous_status_id", "close_date", "created_at", "owner_id"),
    ...own("crm_one_id", "crm_two_id", "deal_analyzed", "analysis_verified", "type", "region"),
    deal_competitor_associations: competitors.map(({ id, name, ...role }) => ({
      competitor_id: id,
      competitor_name: name,
      ...role,
    })),
    drivers: linked("deal_drivers")
      .sort((a, b) => a["position"] - b["position"])
      .map(({ reason_id, positive, summary }) => {
        const reason = find("reasons", reason_id)
        return { reason_id, name: reason?.["name"], category: reason?.["category"], positive, summary }
      }),
    ...own(...SCORES.map((score) => `wl_${score}_score`)),
    updated_at: deal["updated_at"],
    deal_status: find("stages", deal["status_id"])?.["name"] ?? null,
    owner_name: find("owners", deal["owner_id"])?.["name"] ?? null,
    client_name: client?.["name"] ?? null,
    industry: client?.["industry"] ?? null,
    website_url: client?.["website_url"] ?? null,
    product_labels: linked("deal_product_labels")
      .map(({ label }) => label as string)
      .sort(compareText),
    collaborators: linked("deal_collaborators")
      .map(({ owner_id }) => ({ id: owner_id, name: find("owners", owner_id)?.["name"] }))
      .sort(byName),
    segments: segments.map(({ id, name }) => ({ id, name })).sort(byName),
    primary_competitor: primary === undefined ? null : { id: primary.id, name: primary.name },
    competitors,
    features: linked("associations")
      .sort((a, b) => Date.parse(a["created_at"]) - Date.parse(b["created_at"]) || compareText(a["id"], b["id"]))
      .map(({ feature_id, sentiment, influence_summary, tags }) => {
        const feature = find("features", feature_id)
        return {
          feature_id,
          name: feature?.["name"],
          product: feature?.["product"],
          product_area: feature?.["product_area"],
          sentiment,
          influence_summary,
          tags,
        }
      }),
    summary: deal["summary"],
    scorecard: Object.fromEntries(
      SCORES.map((score) => [
        score,
        { score: deal[`wl_${score}_score`], explanation: deal[`wl_${score}_explanation`] },
      ]),
    ),
    ...own(...SCORES.map((score) => `wl_${score}_explanation`)),
  }
}

/** The columns of a reply by default: the specification's table, in its order, and the eight scores. */
export const BY_DEFAULT = [
  "id",
  "name",
  "amount",
  "status_id",
  "previous_status_id",
  "close_date",
  "created_at",
  "owner_id",
  "crm_one_id",
  "crm_two_id",
  "deal_analyzed",
  "analysis_verified",
  "type",
  "region",
  "deal_competitor_associations",
  "drivers",
  ...SCORES.map((score) => `wl_${score}_score`),
]
