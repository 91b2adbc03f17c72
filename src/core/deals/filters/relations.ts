/** A table, or a select, with several rows for a deal, as `x`. */
export interface Relation {
  readonly table: string
  /** The rows that count. */
  readonly only?: string
}

/** The first day after the fiscal quarter of a former close date `f` in the organization `o`. */
const QUARTER_ENDED = `(date_trunc('quarter', f.close_date - make_interval(months => (o.fiscal_start - 1) % 3))
  + make_interval(months => (o.fiscal_start - 1) % 3 + 3))`

/**
 * The former close dates from which a deal slipped: it closes in a later fiscal quarter now. Those of quarters that had ended before the
 * organization kept them are left out, because others of these quarters are unknown.
 */
const SLIPS = `(select f.org_id, f.deal_id, f.close_date from deal_close_date_changes f
  join deals e on e.org_id = f.org_id and e.id = f.deal_id join organizations o on o.id = f.org_id
  where e.close_date >= ${QUARTER_ENDED} and ${QUARTER_ENDED} > o.close_dates_since at time zone o.timezone)`

export const RELATIONS = {
  collaborators: { table: "deal_collaborators" },
  product_labels: { table: "deal_product_labels" },
  competitors: { table: "deal_competitors" },
  primary_competitors: { table: "deal_competitors", only: "x.is_primary" },
  incumbents: { table: "deal_competitors", only: "x.is_incumbent" },
  drivers: { table: "deal_drivers" },
  associations: { table: "associations" },
  stage_changes: { table: "deal_stage_changes" },
  slips: { table: SLIPS },
} as const satisfies Readonly<Record<string, Relation>>
export type RelationName = keyof typeof RELATIONS
