import * as Schema from "effect/Schema"
import { Uri } from "../http/values/parameters.ts"

/**
 * A cited item. `excerpt` is verbatim; `url` opens the viewer on it. The citation of a deal record has the id and name of
 * the deal as its document.
 */
export const Citation = Schema.Struct({
  document_id: Schema.String,
  document_name: Schema.String,
  deal_id: Schema.NullOr(Schema.String),
  deal_name: Schema.NullOr(Schema.String),
  url: Uri,
  excerpt: Schema.String,
})
export type Citation = typeof Citation.Type
