import { makeSides, parseDomain, type SideOf } from "./sides.ts"

/** The companies and people of a deal, as they are stored. */
export interface PartiesRow {
  readonly name: string
  readonly client: string | null
  readonly website_url: string | null
  readonly our_names: ReadonlyArray<string>
  readonly our_domains: ReadonlyArray<string>
  readonly people: ReadonlyArray<string>
}

/** Deal `d`, its organization `o` and its client `c`. */
export const OF_DEAL = `deals d join organizations o on o.id = scope.org
  left join clients c on c.org_id = scope.org and c.id = d.client_id`

/** The names of the owner and the collaborators of deal `d`. */
export const PEOPLE = `array(select w.name from owners w where w.org_id = scope.org and (w.id = d.owner_id or exists (
  select from deal_collaborators l where l.org_id = scope.org and l.deal_id = d.id and l.owner_id = w.id)) order by w.id)`

/** The columns of `PartiesRow`, of `OF_DEAL`. */
export const PARTIES = `d.name, c.name as client, c.website_url, o.our_names, o.our_domains, ${PEOPLE} as people`

/** Decides the sides of the labels of a deal's documents. */
export const sidesOf = (row: PartiesRow): SideOf =>
  makeSides({
    ourNames: row.our_names,
    ourDomains: row.our_domains,
    ourPeople: row.people,
    client: row.client,
    clientDomain: parseDomain(row.website_url),
    deal: row.name,
  })
