/** Renders the types of the contract without schemas: a host that has the client reads no declaration of Effect. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { Analysis } from "../../src/core/analysis/analysis.ts"
import { ResponseEvent } from "../../src/core/answers/events.ts"
import { TOOL_NAMES } from "../../src/core/answers/tools/names.ts"
import { COLUMN_ALIASES, COLUMNS, DEFAULT_NAMES } from "../../src/core/deals/columns/columns.ts"
import { Deal as AnyDeal } from "../../src/core/deals/contract.ts"
import { MODIFIERS } from "../../src/core/deals/filters/arrays.ts"
import { DealFilters } from "../../src/core/deals/filters/filters.ts"
import { PERIODS } from "../../src/core/deals/filters/periods.ts"
import {
  Assistant,
  AssistantList,
  NewAssistant,
  NewOrganization,
  OperatorAuditEntry,
  OperatorAuditPage,
  OperatorAuditQuery,
} from "../../src/core/operator/contract.ts"
import { Api } from "../../src/core/server/api.ts"
import {
  Erased,
  ListedOrganization,
  Organization,
  OrganizationPage,
  OrganizationPatch,
} from "../../src/core/catalogue/organization.ts"
import { Entry } from "../../src/core/catalogue/entries.ts"
import { ImportReport } from "../../src/core/import/contract.ts"
import { ImportSummary } from "../../src/core/import/undo/contract.ts"
import { AnyRecord, RECORD_TYPES } from "../../src/core/records/record.ts"
import { docOf, PlainTypes } from "./plainTypes.ts"

const ROOT = join(import.meta.dirname, "../..")
export const CONTRACT_FOLDER = "src/adapters/client/contract"
const COLUMNS_FILE = "src/core/deals/columns/values.ts"
/** Modules of types that several groups mention, or that would make a group's module too long. */
const SHARED = ["filters", "rows", "records", "imports", "entries", "analyses"]
/** An input with fewer fields is printed where it is used. */
const MIN_INPUT_FIELDS = 3
const HEAD = "// `npm run client` writes this file from the contract.\n"

/** The files with their texts, by their paths in the repository. */
export const renderTypes = (): ReadonlyMap<string, string> => {
  const types = new PlainTypes()
  declareColumns(types)
  declareFilters(types)
  types.declare(fileOf("records"), "RecordType", Schema.Literals(RECORD_TYPES).ast)
  types.declareIn(fileOf("records"), AnyRecord.ast)
  types.declareIn(fileOf("imports"), ImportReport.ast)
  types.declareIn(fileOf("imports"), ImportSummary.ast)
  types.declare(fileOf("answers"), "ToolName", Schema.Literals(TOOL_NAMES).ast)
  types.declare(fileOf("answers"), "ResponseEvent", ResponseEvent.ast)
  types.declare(fileOf("entries"), "WorkspaceEntry", Entry.ast)
  types.declareIn(fileOf("analyses"), Analysis.ast)
  // `Deal` is the client's own: a row of the columns that were asked for.
  types.declare(fileOf("rows"), "AnyDeal", AnyDeal.ast)
  const groups = declareEndpoints(types)
  for (const [name, schema] of Object.entries(ORGANIZATIONS)) types.declare(fileOf("operator"), name, schema.ast)

  const more = new Map([[COLUMNS_FILE, columnNames()]])
  for (const [group, endpoints] of groups) more.set(fileOf(group), renderGroup(types, group, endpoints))
  const files = [COLUMNS_FILE, ...[...SHARED, ...groups.keys(), "operator"].map(fileOf)]
  const rendered = files.map((file) => {
    const text = types.render(file) + (more.get(file) ?? "")
    const imports = [...types.mentioned(file, text)].map(
      ([other, names]) => `import type { ${names.join(", ")} } from "${pathTo(other)}"\n`,
    )
    return [file, `${HEAD}${imports.join("")}\n${text}`] as const
  })
  return formatAll([...rendered, [fileOf("contract"), renderIndex([...groups.keys()])]])
}

const fileOf = (module: string) => `${CONTRACT_FOLDER}/${module}.ts`

const pathTo = (other: string) =>
  other.startsWith(CONTRACT_FOLDER)
    ? `./${other.slice(CONTRACT_FOLDER.length + 1)}`
    : `../../../${other.slice("src/".length)}`

/** Formats all files as one: the formatter takes longer to start than to format. */
const formatAll = (files: ReadonlyArray<readonly [file: string, text: string]>): ReadonlyMap<string, string> => {
  const END = "// The end of a file.\n"
  const formatted = execFileSync(join(ROOT, "node_modules/.bin/oxfmt"), ["--stdin-filepath", "types.ts"], {
    cwd: ROOT,
    input: files.map(([, text]) => text).join(`\n${END}`),
    encoding: "utf8",
  })
  const texts = formatted.split(END)
  return new Map(files.map(([file], index) => [file, `${texts[index]!.trim()}\n`]))
}

const ORGANIZATIONS = {
  Organization,
  NewOrganization,
  OrganizationPatch,
  ListedOrganization,
  OrganizationPage,
  Erased,
  OperatorAuditQuery,
  OperatorAuditEntry,
  OperatorAuditPage,
  NewAssistant,
  Assistant,
  AssistantList,
}

const declareColumns = (types: PlainTypes) => {
  const fields = Object.entries(COLUMNS).map(
    ([name, { schema, description }]) => [name, (schema as Schema.Top).annotate({ description })] as const,
  )
  const values = Schema.Struct(Object.fromEntries(fields)).annotate({
    description: "The value of each standard column.",
  })
  types.declare(COLUMNS_FILE, "ColumnValues", values.ast)
}

const columnNames = () => `
/** The columns of a reply when the request chooses none. */
export type DefaultName = ${DEFAULT_NAMES.map((name) => `"${name}"`).join(" | ")}

/** Other names of columns. */
export interface ColumnAliases {
${[...COLUMN_ALIASES].map(([alias, name]) => `readonly ${alias}: "${name}"\n`).join("")}}
`

const declareFilters = (types: PlainTypes) => {
  const file = fileOf("filters")
  types.declare(file, "Modifier", Schema.Literals(MODIFIERS).ast)
  types.declare(file, "Period", Schema.Literals(PERIODS).ast)
  const { ast } = DealFilters.fields.close_date
  types.declare(file, "DateRange", (ast as AST.Union).types[0]!)
  types.declareIn(file, DealFilters.ast)
}

interface Endpoint {
  readonly name: string
  readonly summary: string | undefined
  readonly input: () => string
  readonly output: AST.AST
}

const declareEndpoints = (types: PlainTypes): ReadonlyMap<string, ReadonlyArray<Endpoint>> => {
  const groups = new Map<string, Array<Endpoint>>()
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => groups.set(group.identifier, []),
    onEndpoint: ({ group: { identifier: group }, endpoint }) => {
      const name = endpoint.identifier
      const [input, output] = [inputOf(endpoint), outputOf(endpoint)]
      const isShort = AST.isObjects(input) && input.propertySignatures.length < MIN_INPUT_FIELDS
      const inputName = isShort ? undefined : `${capital(group)}${capital(name)}Input`
      if (inputName === undefined) types.declareIn(fileOf(group), input)
      else types.declareOnce(fileOf(group), inputName, input)
      types.declareIn(fileOf(group), output)
      const summary = Option.getOrUndefined(Context.getOption(endpoint.annotations, OpenApi.Summary))
      groups.get(group)!.push({ name, summary, input: () => inputName ?? types.print(input), output })
    },
  })
  return groups
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Path parameters, query and fields of the JSON body. */
const inputOf = ({ params, query, payload }: HttpApiEndpoint.Top): AST.AST => {
  const bodies = [...payload.values()].flatMap(({ encoding, schemas }) => (encoding._tag === "Json" ? schemas : []))
  const given = bodies.flatMap(({ ast }) => alternativesOf(AST.toType(ast)))
  const objects = given.filter((ast) => !AST.isString(ast) && !AST.isNull(ast))
  const parts = [params?.ast, query?.ast].flatMap((ast) => (ast === undefined ? [] : [AST.toType(ast)]))
  const join = (last: ReadonlyArray<AST.AST>) =>
    new AST.Objects(
      [...parts, ...last].flatMap((part) => {
        if (!AST.isObjects(part)) throw new Error(`an input has fields, and is no ${part._tag}`)
        return part.propertySignatures
      }),
      [],
    )
  if (objects.length < 2) return join(objects)
  return new AST.Union(objects.map((object) => join([object])))
}

const alternativesOf = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  AST.isUnion(ast) ? ast.types.flatMap(alternativesOf) : [ast]

/** The JSON of a reply; void if it is empty, never if it is no JSON. */
const outputOf = ({ success }: HttpApiEndpoint.Top): AST.AST => {
  const replies = [...success].flatMap((schema) =>
    "~effect/http-api/HttpApiSchema/Stream" in schema ? [] : [AST.toType(schema.ast)],
  )
  const json = replies.filter((ast) => !AST.isString(ast))
  return json.length === 1 ? json[0]! : json.length === 0 ? AST.never : new AST.Union(json)
}

const renderGroup = (types: PlainTypes, group: string, endpoints: ReadonlyArray<Endpoint>) => `
export interface ${capital(group)}Endpoints {
${endpoints
  .map(
    ({ name, summary, input, output }) =>
      `${docOf(summary && `${summary}.`)}readonly ${name}: { readonly input: ${input()}; readonly output: ${types.print(output)} }\n`,
  )
  .join("")}}
`

const renderIndex = (groups: ReadonlyArray<string>) => `${HEAD}
${groups.map((group) => `import type { ${capital(group)}Endpoints } from "./${group}.ts"\n`).join("")}
/** The input and the JSON reply of every endpoint. */
export interface Contract {
${groups.map((group) => `readonly ${group}: ${capital(group)}Endpoints\n`).join("")}}

export type * from "../../../core/deals/columns/values.ts"
${[...SHARED, ...groups].map((module) => `export type * from "./${module}.ts"\n`).join("")}`
