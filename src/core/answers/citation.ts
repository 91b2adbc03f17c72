import * as Schema from "effect/Schema"
import { Uri } from "../http/parameters.ts"

/** A cited item. `excerpt` stands verbatim in its document; `url` opens the viewer there. A deal's own record is cited with the deal's id and name as document. */
export const Citation = Schema.Struct({
  document_id: Schema.String,
  document_name: Schema.String,
  deal_id: Schema.NullOr(Schema.String),
  deal_name: Schema.NullOr(Schema.String),
  url: Uri,
  excerpt: Schema.String,
})
export type Citation = typeof Citation.Type
