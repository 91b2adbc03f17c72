import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { json, organization, text, toggle } from "./flags.ts"

/** The arguments of `sightline import`. */
export const importFlags = {
  file: Argument.String("file").pipe(
    Argument.withDescription("A CSV, XLSX, NDJSON or JSON file, or a report of Salesforce; - reads stdin"),
    Argument.optional,
  ),
  organization,
  type: text("type", "The type of the rows of a table: deal, client, owner, …"),
  map: text("map", 'Maps headers to fields, over what their names say: "Opportunity ID=crm_one_id,Value=amount"'),
  dates: Flag.Literals("dates", ["ISO", "DMY", "MDY"]).pipe(
    Flag.withDescription("The order of day and month in dates; by default each column decides"),
    Flag.optional,
  ),
  decimal: Flag.Literals("decimal", [".", ","]).pipe(
    Flag.withDescription("The decimal mark of numbers; by default each column decides"),
    Flag.optional,
  ),
  rates: text("rates", 'Converts amounts of other currencies: "EUR:1.08,JPY:0.0067"'),
  stage: text("stage", 'The categories of new stages: "Closed=lost,Signed=won"'),
  create: Flag.Literals("create", ["all", "none"]).pipe(
    Flag.withDescription("none: a row that names an unknown owner, client or other thing is an error"),
    Flag.optional,
  ),
  encoding: text("encoding", "The encoding of a text; by default its bytes decide"),
  sheet: text("sheet", "The sheet of a workbook, by name or number; by default the first that has cells"),
  empty: Flag.Literals("empty", ["keep", "clear"]).pipe(
    Flag.withDescription("The effect of a table's empty cell on its field: keep (the default) or clear"),
    Flag.optional,
  ),
  keepUnmapped: Flag.Literals("keep-unmapped", ["crm_one", "crm_two"]).pipe(
    Flag.withDescription("Keeps the columns that fill no field of a deal, as properties of this CRM"),
    Flag.optional,
  ),
  dryRun: toggle("dry-run", "Write nothing, and print what the import would do"),
  yes: toggle("yes", "On a terminal, import at once: without a dry run first, and a question if it warns"),
  undo: text("undo", "Instead of a file: undo this import, imp_…, within 7 days, and print what came of it"),
  json,
}
