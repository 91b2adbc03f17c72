import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** Splits at commas, trims, and drops what is empty. */
export const splitCommas = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** `tags=a,b` and `tags=a&tags=b` both decode to `["a", "b"]`. */
export const CommaSeparated = Schema.ArrayEnsure(Schema.String).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform<ReadonlyArray<string>, ReadonlyArray<string>>({
      decode: (parts) => parts.flatMap(splitCommas),
      encode: (values) => [values.join(",")],
    }),
  ),
)

/** Parameters written with commas rather than as JSON. */
export const COMMA_SEPARATED: ReadonlySet<string> = new Set(["columns", "tags"])
