/** The fingerprint of the secret that signs links and seals webhook secrets: an instance with another secret does not start. */
export const SIGNING = [
  `create table signing_secret (
    is_only boolean primary key default true check (is_only),
    fingerprint text not null,
    since timestamptz(3) not null default now()
  )`,
  `grant select, insert, update, delete on signing_secret to sightline_app`,
]
