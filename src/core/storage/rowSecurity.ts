/** The comment on tables that functions of the owner read across organizations, such as for the look-up of a key. */
const CROSSED = "Functions of the owner read this table across organizations."

/** The policy that allows it. Its condition is `true`, so that indexes stay usable. */
const POLICY = "functions_of_owner"

/**
 * Forces row-level security on every table, also for its owner. A policy lets the owner's functions read some tables across
 * organizations; it names the owner and is renewed after a restore under another role. Tables that Citus has on other servers bind
 * every role but their owner: PostgreSQL does not replicate into a table that binds its owner, and Citus moves shards by replication.
 */
export const FORCE_ROW_SECURITY = `do $$ declare secured record; placed oid[] := '{}'; begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select coalesce(array_agg(logicalrelid::oid), ''{}'') from pg_dist_partition' into placed;
  end if;
  for secured in
    select c.oid::regclass as name, c.relforcerowsecurity as forced from pg_class c
    where c.relnamespace = 'sightline'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity and c.oid <> all (placed)
      and (not c.relforcerowsecurity or obj_description(c.oid, 'pg_class') = '${CROSSED}')
  loop
    if not secured.forced then
      execute format('alter table %s force row level security', secured.name);
      execute format('comment on table %s is ${`''${CROSSED}''`}', secured.name);
    end if;
    execute format('drop policy if exists ${POLICY} on %s', secured.name);
    execute format('create policy ${POLICY} on %s to %I using (true) with check (true)', secured.name, current_user);
  end loop;
end $$`

/** Whether a table lacks forced row-level security or the policy, after a migration or a restore. */
export const lacksRowSecurity = (isCitus: boolean) => `exists (
  select from pg_class c
  where c.relnamespace = to_regnamespace('sightline') and c.relkind in ('r', 'p') and c.relrowsecurity
    ${isCitus ? "and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)" : ""}
    and (not c.relforcerowsecurity or obj_description(c.oid, 'pg_class') = '${CROSSED}' and not exists (
      select from pg_policy p where p.polrelid = c.oid and p.polname = '${POLICY}' and c.relowner = any (p.polroles))))`
