/**
 * Selects the id of each client's first won deal: by close date, then by id, of all deals of the organization. A deal without a close date
 * comes last. One pass over the won deals; a search for an earlier deal of each deal's client took far longer.
 */
export const FIRST_WON = `select distinct on (w.client_id) w.id from deals w
  join stages v on v.org_id = scope.org and v.id = w.status_id and v.category = 'won'
  where w.org_id = scope.org and w.client_id is not null order by w.client_id, w.close_date, w.id collate "C"`
