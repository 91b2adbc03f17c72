import { isolate } from "../support.ts"

/** Features that came up in deals. */
export const INTELLIGENCE = [
  `create table associations (
    org_id text not null references organizations on delete cascade,
    id text not null,
    deal_id text not null,
    feature_id text not null,
    created_at timestamptz(3) not null,
    influence_summary text,
    sentiment boolean,
    tags text[] not null default '{}',
    primary key (org_id, id),
    foreign key (org_id, deal_id) references deals on delete cascade,
    foreign key (org_id, feature_id) references features
  )`,
  `create index on associations (org_id, deal_id)`,
  `create index on associations (org_id, feature_id, deal_id)`,
  `create index on associations (org_id, created_at desc, id collate "C")`,
  ...isolate(["associations"]),
]
