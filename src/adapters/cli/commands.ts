import type * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Argument from "effect/cli/Argument"
import type * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { FORMAT_NAMES } from "../../core/exports/options.ts"
import { VERSION } from "../version.ts"
import { backup, restore } from "./backupCommands.ts"
import type { Failure } from "./execute.ts"
import { importFlags } from "./importFlags.ts"
import { json, lazily, organization, text, toggle } from "./flags.ts"
import { clients, keys, orgs, signingSecret } from "./operatorCommands.ts"

const serve = Command.make(
  "serve",
  { json },
  lazily(async () => (await import("./serve/serve.ts")).serve),
).pipe(
  Command.withDescription("Serve the API at HOST:PORT; environment variables configure it (docs/configuration.md)"),
)

const demo = Command.make(
  "demo",
  { json },
  lazily(async () => (await import("./serve/demo.ts")).demo),
).pipe(Command.withDescription("Serve a demo workspace, and print a key and requests to try"))

const migrate = Command.make(
  "migrate",
  {
    to: text("to", "Copy everything into this empty database: postgres://… or another data directory"),
    distribute: toggle(
      "distribute",
      "Divide the organizations of a database that has become a Citus cluster among its workers",
    ),
    printSql: toggle("print-sql", "Print the SQL that an administrator runs once, for a login without CREATEROLE"),
    json,
  },
  lazily(async () => (await import("./data/migrate.ts")).migrate),
).pipe(Command.withDescription("Update the database schema (serve does so too when it starts)"))

const listening = Command.make(
  "listen",
  {
    secret: Flag.Redacted("secret").pipe(
      Flag.withDescription("The webhook's secret, whsec_…, from the reply that created or rotated it"),
    ),
    port: Flag.Int("port").pipe(Flag.withDescription("The port to listen on"), Flag.withDefault(9290)),
    json,
  },
  lazily(async () => (await import("./serve/listen.ts")).listen),
).pipe(Command.withDescription("Receive a webhook's deliveries on this machine, verify them and print them"))

const importing = Command.make(
  "import",
  importFlags,
  lazily(async () => (await import("./data/import.ts")).importOrUndo),
).pipe(Command.withDescription("Import records from a file; skips and lists invalid ones, and then exits with 1"))
const uploading = Command.make(
  "upload",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription(
        "A PDF, DOCX, PPTX, XLSX, CSV, TSV, HTML, EML, MSG, RTF, ODT, VTT, SRT, MD, TXT, JSON, MP3, WAV, M4A or MP4 file; its extension gives the type",
      ),
      Argument.variadic(),
    ),
    watch: text("watch", "Instead of files: upload this folder's files, and those added or changed until Ctrl-C"),
    organization,
    deal: text("deal", "The deal that the files belong to, by its id"),
    crmOne: text("crm-one", "The deal, by its id in the first CRM"),
    crmTwo: text("crm-two", "The deal, by its id in the second CRM"),
    competitor: text("competitor", "The competitor that the files are about, by id or name; adds them to the library"),
    type: Flag.Literals("type", ["asset", "intel"]).pipe(
      Flag.withDescription("With --competitor: asset (sales enablement) or intel (from outside)"),
      Flag.optional,
    ),
    wait: toggle("wait", "Wait until the files have been read, and print the result of each"),
    json,
  },
  lazily(async () => (await import("./data/upload.ts")).upload),
).pipe(Command.withDescription("Add documents and recordings to a deal or to the library"))

const serverUrl = text(
  "url",
  "The server; by default the one that runs here. Sends SIGHTLINE_API_KEY or the demo's key",
)

/** Shells read a semicolon and a tab as their own. */
const DELIMITERS = [
  ["comma", ","],
  ["semicolon", ";"],
  ["tab", "\t"],
] as const
const DECIMALS = [
  ["point", "."],
  ["comma", ","],
] as const

const exporting = Command.make(
  "export",
  {
    out: Flag.String("out").pipe(Flag.withDescription("The file to write")),
    format: Flag.Literals("format", FORMAT_NAMES).pipe(
      Flag.withDescription("The format; by default, the ending of the file, else csv"),
      Flag.optional,
    ),
    columns: Flag.String("columns").pipe(
      Flag.withDescription("Columns of GET /deals, comma-separated; * for every standard column"),
      Flag.withDefault("*"),
    ),
    filters: Flag.KeyValuePair("filter").pipe(
      Flag.withDescription(
        "A filter of GET /deals; repeat it for more: --filter status='[\"Won\"]' --filter analyzed=true",
      ),
      Flag.withDefault({}),
    ),
    plain: toggle("plain", "In CSV, do not escape text that a spreadsheet would run as a formula"),
    bom: toggle("bom", "In CSV, start with a byte-order mark, by which Excel recognizes UTF-8"),
    delimiter: Flag.ChoiceWithValue("delimiter", DELIMITERS).pipe(
      Flag.withDescription("In CSV, what separates cells; a comma by default"),
      Flag.optional,
    ),
    decimal: Flag.ChoiceWithValue("decimal", DECIMALS).pipe(
      Flag.withDescription("In CSV, the decimal mark of numbers; a point by default. A comma needs another delimiter"),
      Flag.optional,
    ),
    organization: organization.pipe(
      Flag.withDescription("Export from this organization as the operator, instead of with a key"),
      Flag.optional,
    ),
    url: serverUrl,
    json,
  },
  lazily(async () => (await import("./data/export.ts")).exportDeals),
).pipe(Command.withDescription("Write deals to a CSV or XLSX file"))

const analyzing = Command.make(
  "analyze",
  {
    deals: text("deals", "The ids of deals, comma-separated; by default every deal that has a document"),
    filters: Flag.KeyValuePair("filter").pipe(
      Flag.withDescription(
        "A filter of GET /deals; repeat it for more: --filter outcome='[\"lost\"]' --filter analyzed=false",
      ),
      Flag.withDefault({}),
    ),
    dryRun: toggle("dry-run", "Print what it would cost, and start nothing"),
    url: serverUrl,
    json,
  },
  lazily(async () => (await import("./data/analyze.ts")).analyze),
).pipe(Command.withDescription("Find in the documents of deals what the buyers said; prints progress and cost"))

const asking = Command.make(
  "ask",
  {
    question: Argument.String("question").pipe(Argument.withDescription("The question, in quotes")),
    organization: organization.pipe(
      Flag.withDescription("Ask in this organization as the operator, instead of with a key"),
      Flag.optional,
    ),
    url: serverUrl,
    json,
  },
  lazily(async () => (await import("./ask/ask.ts")).ask),
).pipe(Command.withDescription("Ask a question; streams the answer and numbers its sources"))

const login = Command.make(
  "login",
  { url: serverUrl, json },
  lazily(async () => (await import("./ask/login.ts")).login),
).pipe(Command.withDescription("Print a one-time link that opens the console, signed in with the key"))

const mcp = Command.make(
  "mcp",
  {
    url: serverUrl,
  },
  lazily(async () => (await import("./ask/mcp.ts")).mcp),
).pipe(
  Command.withDescription(
    "Serve the Model Context Protocol over stdin and stdout, for a client that starts its own servers",
  ),
)

const doctor = Command.make(
  "doctor",
  { json },
  lazily(async () => (await import("./doctor/doctor.ts")).doctor),
).pipe(Command.withDescription("Check everything that serving needs, and say how to fix each problem"))

const health = Command.make(
  "health",
  { json },
  lazily(async () => (await import("./doctor/health.ts")).health),
).pipe(Command.withDescription("Ask the server at HOST:PORT whether it is ready; the exit code is 1 if it is not"))

const sightline = Command.make("sightline").pipe(
  Command.withDescription("Sales intelligence behind one HTTP API"),
  Command.withSubcommands([
    demo,
    serve,
    migrate,
    backup,
    restore,
    orgs,
    keys,
    clients,
    importing,
    uploading,
    exporting,
    analyzing,
    asking,
    login,
    mcp,
    listening,
    signingSecret,
    doctor,
    health,
  ]),
)

/** The command line: does what a list of arguments asks for. */
export const invoke: (
  args: ReadonlyArray<string>,
) => Effect.Effect<void, Failure | CliError.CliError, Command.Environment | Scope> = Command.runWith(sightline, {
  version: VERSION,
})
