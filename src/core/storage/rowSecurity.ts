/** The comment on a table whose rows functions of the tables' owner read across organizations, such as the look-up of a key. */
const CROSSED = "Functions of the owner read this table across organizations."

/** The policy that lets them. Being a plain `true`, it costs them no index. */
const POLICY = "functions_of_owner"

/**
 * Forces row-level security on every table, also against its owner. Where the owner's functions look across organizations, a policy that
 * names the owner says so; it is renewed when a restored database belongs to another role.
 */
export const FORCE_ROW_SECURITY = `do $$ declare secured record; begin
  for secured in
    select c.oid::regclass as name, c.relforcerowsecurity as forced from pg_class c
    where c.relnamespace = 'sightline'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
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

/** Whether a table lacks that: a migration added it, or a restore lost the policy. */
export const LACKS_ROW_SECURITY = `exists (
  select from pg_class c
  where c.relnamespace = to_regnamespace('sightline') and c.relkind in ('r', 'p') and c.relrowsecurity
    and (not c.relforcerowsecurity or obj_description(c.oid, 'pg_class') = '${CROSSED}' and not exists (
      select from pg_policy p where p.polrelid = c.oid and p.polname = '${POLICY}' and c.relowner = any (p.polroles))))`
