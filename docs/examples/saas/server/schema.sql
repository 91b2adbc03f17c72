create schema if not exists app;

create table if not exists app.teams (
  id text primary key,
  name text not null
);

create table if not exists app.users (
  id bigint generated always as identity primary key,
  team_id text not null references app.teams,
  email text not null unique,
  password text not null
);

create table if not exists app.sessions (
  token_hash text primary key,
  user_id bigint not null references app.users on delete cascade,
  expires_at timestamptz not null
);

create table if not exists app.renewals (
  team_id text references app.teams,
  deal_id text,
  due date not null,
  primary key (team_id, deal_id)
);
