import type { Invalid } from "../../../http/validation/validation.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { filledBy } from "../fields/aspects.ts"
import { fieldNamed, type MatchedColumns } from "../headers/matchColumns.ts"
import { eachRow } from "../cells/evidence.ts"
import { isOfDeal, normalizeHeader } from "../headers/headers.ts"
import { guessType } from "./keepColumns.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { isWonOrLost } from "../cells/outcome.ts"

/** Headers that only lists of other things have. `isSure`: no list of deals has them without an amount, a stage or a close date. */
interface Signs {
  readonly thing: string
  readonly isSure: boolean
  readonly headers: ReadonlySet<string>
}

const signs = (thing: string, isSure: boolean, headers: string): Signs => ({
  thing,
  isSure,
  headers: new Set(headers.split("|")),
})

const QUOTES = "quotes"
const SIGNS: ReadonlyArray<Signs> = [
  signs(
    "activities",
    true,
    "activity id|activity type|activity date|task id|task|task type|task subtype|call id|call type|call duration|call outcome|meeting id|meeting type|due date|due|aktivitäts-id|aktivitätstyp|aufgabe|fällig am|fälligkeitsdatum|id d'activité|type d'activité|tâche|date d'échéance|tarea|id de actividad|tipo de actividad|fecha de vencimiento|tarefa|tipo de atividade|data de vencimento",
  ),
  signs(
    QUOTES,
    true,
    "quote id|quote name|quote number|quote no|quote no.|quote status|quote to name|quote amount|angebotsnummer|angebotsnr.|angebots-id|angebotsname|numéro de devis|nom du devis|número de presupuesto|nombre del presupuesto|número da proposta",
  ),
  signs(
    "leads or contacts",
    true,
    "lead id|lead name|lead status|lead owner|lead-id|leadstatus|lead-status|lead-inhaber|statut du lead|statut de la piste|estado del lead|status do lead",
  ),
  signs(
    "contacts",
    false,
    "contact id|contact name|contact owner|first name|last name|full name|email|e-mail|email address|e-mail address|work email|phone|phone number|mobile|mobile phone|job title|lifecycle stage|vorname|nachname|e-mail-adresse|telefon|telefonnummer|mobiltelefon|prénom|adresse e-mail|téléphone|nombre completo|apellidos|correo|correo electrónico|teléfono|sobrenome|telefone|celular",
  ),
  signs(
    "accounts",
    false,
    "industry|website|company domain name|annual revenue|employees|number of employees|billing city|billing country|branche|jahresumsatz|mitarbeiterzahl|secteur|chiffre d'affaires annuel|industria|ingresos anuales|setor",
  ),
]

/** Fields that only deals have. */
const OF_DEALS: ReadonlySet<string> = new Set([
  "amount",
  "outcome",
  "previous_status",
  "close_date",
  "competitors",
  "drivers",
  "scorecard",
  "custom_metrics",
  "custom_answers",
  "crm_properties",
  "deal_analyzed",
  "analysis_verified",
])
/** Headers of columns that have no field and that only deals have. */
const PROBABILITY = /probab|wahrscheinlich|forecast|prévision|pronóstico|previsão/
const NAMING: ReadonlySet<string> = new Set(["name", "crm_one_id", "crm_two_id"])
const MAX_SHOWN = 5

/** Says why the rows of a file cannot be deals; undefined if they can. With `warn`, a file without names is no refusal. */
export function* refuseRows(
  matched: Pick<MatchedColumns, "columns" | "fields">,
  rows: ReadonlyArray<TableRow>,
  warn: ((nameless: Invalid) => void) | undefined,
) {
  const refusal = findTransposed(matched, rows) ?? (yield* findOtherObject(matched, rows))
  if (refusal !== undefined) return refusal
  const nameless = yield* findNameless(matched, rows)
  if (nameless === undefined || warn === undefined) return nameless
  warn(nameless)
  return undefined
}

/** Rows in which names of fields are sought. */
const MAX_TURNED = 50
/** Finds that the fields are below each other, and each deal is a column. */
const findTransposed = (
  { columns, fields }: Pick<MatchedColumns, "columns" | "fields">,
  rows: ReadonlyArray<TableRow>,
): Invalid | undefined => {
  const cell = fields.find(({ field }) => field === "name")?.cells[0]
  if (cell === undefined || columns[cell]!.by === "map") return undefined
  const names = rows.slice(0, MAX_TURNED).map(({ cells }) => textOf(cells[cell] ?? "").trim())
  const filled = names.filter((name) => name !== "")
  const found = [...new Set(filled.filter((name) => fieldNamed("deal", name) !== undefined))]
  if (found.length < 2 || found.length * 2 < filled.length) return undefined
  const shown = found.slice(0, MAX_SHOWN).map((name) => `'${name.slice(0, 100)}'`)
  const reason = `must have the fields beside each other, and a row for each deal: the file has them below each other, for the column '${columns[cell]!.column.slice(0, 100)}' has ${shown.join(", ")}. Transpose the table in a spreadsheet, and import it again`
  return { field: "header", reason }
}

/** Finds that a file has other things than deals. A map, or a column that only deals have, says that it has deals. */
function* findOtherObject(
  { columns, fields }: Pick<MatchedColumns, "columns" | "fields">,
  rows: ReadonlyArray<TableRow>,
): Generator<void, Invalid | undefined> {
  if (columns.some(({ by, field }) => by === "export" || (by === "map" && field !== null))) return undefined
  const headers = columns.map(({ column }) => normalizeHeader(column))
  const found = SIGNS.map((each) => ({
    ...each,
    seen: columns.filter(({ field }, index) => field !== "name" && each.headers.has(headers[index]!)),
  })).filter(({ seen }) => seen.length > 0)
  const [best] = found.toSorted((a, b) => Number(b.isSure) - Number(a.isSure) || b.seen.length - a.seen.length)
  if (best === undefined) return undefined
  const has = columns.some(({ field }, index) => {
    if (field === null) return PROBABILITY.test(headers[index]!)
    // A quote has an amount too.
    if (best.thing === QUOTES && field === "amount") return false
    if (OF_DEALS.has(filledBy(field).split(".", 1)[0]!)) return true
    // Everything has a status.
    if (field === "status") return headers[index] !== "status"
    return !best.isSure && NAMING.has(field) && isOfDeal(headers[index]!)
  })
  if (has) return undefined
  const status = fields.find(({ field }) => field === "status")?.cells[0]
  if (status !== undefined && (yield* some(rows, status, isWonOrLost))) return undefined
  const shown = best.seen.slice(0, MAX_SHOWN).map(({ column }) => `'${column.slice(0, 100)}'`)
  const example = columns.find(({ field }) => field === "name")?.column ?? columns[0]!.column
  const reason =
    `must not be deal: the file looks like a list of ${best.thing}, for it has the ${shown.length === 1 ? "column" : "columns"} ${shown.join(", ")}, ` +
    `and no column that only a deal has, such as ${best.thing === QUOTES ? "a stage" : "an amount, a stage"} or a close date. Use type=client to import the companies; ` +
    `to import the rows as deals all the same, map a column by hand, such as ${example.slice(0, 30)}=name`
  return { field: "type", reason }
}

function* some(rows: ReadonlyArray<TableRow>, cell: number, isOf: (text: string) => boolean): Generator<void, boolean> {
  let found = false
  yield* eachRow(rows, ({ cells }) => (found = isOf(textOf(cells[cell] ?? "").trim())))
  return found
}

const isNamed = (fields: MatchedColumns["fields"]) => fields.some(({ field }) => NAMING.has(field) || field === "id")

/** Headers of columns that may have the name of a deal, for a person to decide. */
const MAY_NAME =
  /\b(?:project|projekt|projet|proyecto|projeto|subject|betreff|objet|asunto|tender|ausschreibung|bid|job)\b/

/** Whether a deal gets its name from its client and close date, as in sheets of wins and losses, which have no other. */
const isNamedByClient = (matched: Pick<MatchedColumns, "columns" | "fields">): boolean =>
  !isNamed(matched.fields) && mayNameBy(["client", "close_date"], matched)

/** Whether the fields are there, and no column that may have the name of a deal. */
const mayNameBy = (wanted: ReadonlyArray<string>, { columns, fields }: Pick<MatchedColumns, "columns" | "fields">) =>
  wanted.every((each) => fields.some(({ field }) => field === each)) &&
  !columns.some(({ column, field }) => field === null && MAY_NAME.test(normalizeHeader(column)))

/** Plans how deals get their names in a file that has none: Close lists its opportunities by their ids and clients. */
export const planNames = (
  isDeals: boolean,
  matched: MatchedColumns,
): Pick<ImportPlan, "isNamedByClient" | "namesNew"> => {
  if (!isDeals) return {}
  if (isNamedByClient(matched)) return { isNamedByClient: true }
  const isNameless = isNamed(matched.fields) && matched.fields.every(({ field }) => field !== "name")
  return isNameless && mayNameBy(["client", "status", "close_date"], matched) ? { namesNew: true } : {}
}

/** Finds that no column says how a deal is called, and none which deal it is. */
function* findNameless(
  { columns, fields }: Pick<MatchedColumns, "columns" | "fields">,
  rows: ReadonlyArray<TableRow>,
): Generator<void, Invalid | undefined> {
  if (isNamed(fields) || isNamedByClient({ columns, fields })) return undefined
  const texts: Array<string> = []
  for (const [index, { column, field }] of columns.entries()) {
    if (
      texts.length < MAX_SHOWN &&
      (field === null || field === "client") &&
      (yield* guessType(column, rows, index)) === "text"
    )
      texts.push(column.slice(0, 100))
  }
  const [first] = texts
  const could =
    first === undefined
      ? "No column has texts that could be it"
      : `Map one to it, as in '${first}=name'; ${texts.map((text) => `'${text}'`).join(", ")} ${texts.length === 1 ? "has" : "have"} texts`
  return { field: "map", reason: `must say which column has the name of the deal, because no header does. ${could}` }
}
