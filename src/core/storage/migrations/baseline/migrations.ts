/**
 * The migrator makes the table `migrations`. `breaking` marks a migration after which a server of an earlier version cannot work; no
 * version reads it yet.
 */
export const MIGRATIONS_TABLE = [`alter table migrations add column breaking boolean not null default false`]
