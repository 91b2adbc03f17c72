import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Replies that were streamed, in parts. Their head is in `idempotent_replies`, without a body. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    // Events `first` to `last`, numbered from 1, sealed together. The part with `ends` is the last.
    `create table idempotent_reply_parts (
      org_id text not null,
      key text not null,
      first int not null,
      last int not null,
      ends boolean not null,
      body bytea not null,
      size int not null,
      primary key (org_id, key, first),
      foreign key (org_id, key) references idempotent_replies on delete cascade
    )`,
  ])
  yield* isolate(sql, ["idempotent_reply_parts"])
})
