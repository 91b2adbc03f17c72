import { define } from "./define.ts"

/** Forgetting deletions across organizations, and up to which of them the feed of each knows no more. */
export const CHANGES = [
  define(
    "forget_deletions(p_kept interval, p_most int)",
    `returns int language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from changes where ctid = any(array(
        select ctid from changes where deleted and changed_at < now() - p_kept
        order by changed_at limit p_most for update skip locked))
      returning org_id, sequence
    ), horizon as (
      insert into change_horizons (org_id, sequence) select org_id, max(sequence) from gone group by org_id
        on conflict (org_id) do update set sequence = greatest(change_horizons.sequence, excluded.sequence)
    )
    select count(*)::int from gone $$`,
  ),
]
