/** Traces of erased organizations. The tables belong to no organization, because they outlive those that they name. */
export const OPERATOR = [
  // Records that an organization was erased, and when. A look-up needs the organization's id.
  `create table erasures (organization_hash bytea not null, at timestamptz(3) not null default clock_timestamp())`,
  `grant select, insert on erasures to sightline_app`,
  // Erasures whose files are not removed yet. The row goes with the last file.
  `create table pending_erasures (
    organization text primary key,
    erased_at timestamptz(3) not null default now()
  )`,
  `grant select, insert, delete on pending_erasures to sightline_app`,
]
