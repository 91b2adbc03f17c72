import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import type * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { Failure } from "./execute.ts"
import { json, lazily, organization, toggle } from "./flags.ts"
import { keys, orgs } from "./operatorCommands.ts"

/** As in package.json: a test holds them equal. */
export const VERSION = "0.1.0"

const serve = Command.make(
  "serve",
  { json },
  lazily(async () => (await import("./serve/serve.ts")).serve),
).pipe(Command.withDescription("Serve the API at HOST:PORT until SIGTERM or SIGINT; the environment says with what"))

const demo = Command.make(
  "demo",
  { json },
  lazily(async () => (await import("./serve/demo.ts")).demo),
).pipe(Command.withDescription("Serve a workspace of invented deals, with a key and requests to try"))

const migrate = Command.make(
  "migrate",
  { json },
  lazily(async () => (await import("./operator/database.ts")).migrate),
).pipe(Command.withDescription("Bring the database's schema up to date (serve does so too, at its start)"))

const listening = Command.make(
  "listen",
  {
    secret: Flag.Redacted("secret").pipe(
      Flag.withDescription("The webhook's secret, whsec_…, as creating or rotating it replied"),
    ),
    port: Flag.Int("port").pipe(Flag.withDescription("Where to listen on this machine"), Flag.withDefault(9290)),
    json,
  },
  lazily(async () => (await import("./serve/listen.ts")).listen),
).pipe(Command.withDescription("Receive a webhook's deliveries on this machine, verify and print them"))

const signingSecret = Command.make("signing-secret").pipe(
  Command.withDescription("The secret that signs links and seals webhook secrets"),
  Command.withSubcommands([
    Command.make(
      "replace",
      { json },
      lazily(async () => (await import("./operator/database.ts")).replaceSigningSecret),
    ).pipe(
      Command.withDescription(
        "Accept another secret at the next start, when the one used until now is lost: links stop, webhooks wait",
      ),
    ),
  ]),
)

const importing = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(Argument.withDescription("NDJSON or CSV; - reads stdin")),
    organization,
    type: Flag.String("type").pipe(
      Flag.withDescription("What the rows of a CSV are: deal, client, owner, …"),
      Flag.optional,
    ),
    map: Flag.String("map").pipe(
      Flag.withDescription('Which header of a CSV is which field: "Opportunity ID=crm_one_id,Value=amount"'),
      Flag.optional,
    ),
    dates: Flag.Literals("dates", ["ISO", "DMY", "MDY"]).pipe(
      Flag.withDescription("How dates are written, where not in ISO"),
      Flag.withDefault("ISO"),
    ),
    json,
  },
  lazily(async () => (await import("./data/import.ts")).importFile),
).pipe(
  Command.withDescription("Bring records in from a file: good ones land, bad ones are named and the exit code is 1"),
)

const uploading = Command.make(
  "upload",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription("PDF, DOCX, PPTX, XLSX, MD, TXT, MP3, WAV, M4A or MP4, told by its ending"),
      Argument.variadic({ min: 1 }),
    ),
    organization,
    deal: Flag.String("deal").pipe(Flag.withDescription("The deal they belong to, by its id"), Flag.optional),
    crmOne: Flag.String("crm-one").pipe(Flag.withDescription("The deal, by its id in the first CRM"), Flag.optional),
    crmTwo: Flag.String("crm-two").pipe(Flag.withDescription("The deal, by its id in the second CRM"), Flag.optional),
    competitor: Flag.String("competitor").pipe(
      Flag.withDescription("The competitor they tell of, by id or name: they go to the library"),
      Flag.optional,
    ),
    type: Flag.Literals("type", ["asset", "intel"]).pipe(
      Flag.withDescription("With --competitor: sales enablement, or intelligence from outside"),
      Flag.optional,
    ),
    wait: toggle("wait", "Read them before returning, and say what became of each"),
    json,
  },
  lazily(async () => (await import("./data/upload.ts")).upload),
).pipe(Command.withDescription("Add documents and recordings to a deal or to the library"))

const exporting = Command.make(
  "export",
  {
    out: Flag.String("out").pipe(Flag.withDescription("The CSV file to write")),
    columns: Flag.String("columns").pipe(
      Flag.withDescription("Comma-separated, as GET /deals takes them; * for every standard column"),
      Flag.withDefault("*"),
    ),
    filters: Flag.KeyValuePair("filter").pipe(
      Flag.withDescription(
        "A filter of GET /deals, which may be repeated: --filter status='[\"Won\"]' --filter analyzed=true",
      ),
      Flag.withDefault({}),
    ),
    plain: toggle("plain", "Leave text that a spreadsheet would run as it is"),
    organization: organization.pipe(
      Flag.withDescription("Export as the operator, from this organization, rather than with a key"),
      Flag.optional,
    ),
    url: Flag.String("url").pipe(
      Flag.withDescription(
        "The server to ask; the one that runs here by default. SIGHTLINE_API_KEY, or the demo's key, is sent",
      ),
      Flag.optional,
    ),
    json,
  },
  lazily(async () => (await import("./data/export.ts")).exportDeals),
).pipe(Command.withDescription("Write deals into a CSV file"))

const asking = Command.make(
  "ask",
  {
    question: Argument.String("question").pipe(Argument.withDescription("What to ask, in quotes")),
    organization: organization.pipe(
      Flag.withDescription("Ask as the operator, in this organization, rather than with a key"),
      Flag.optional,
    ),
    url: Flag.String("url").pipe(
      Flag.withDescription(
        "The server to ask; the one that runs here by default. SIGHTLINE_API_KEY, or the demo's key, is sent",
      ),
      Flag.optional,
    ),
    json,
  },
  lazily(async () => (await import("./ask/ask.ts")).ask),
).pipe(Command.withDescription("Ask a question: the answer is written as it is made, its sources numbered"))

const mcp = Command.make(
  "mcp",
  {
    url: Flag.String("url").pipe(
      Flag.withDescription(
        "The server that answers; the one that runs here by default. SIGHTLINE_API_KEY, or the demo's key, is sent",
      ),
      Flag.optional,
    ),
  },
  lazily(async () => (await import("./ask/mcp.ts")).mcp),
).pipe(Command.withDescription("Serve MCP over stdin and stdout, for a client that starts its servers itself"))

const doctor = Command.make(
  "doctor",
  { json },
  lazily(async () => (await import("./doctor/doctor.ts")).doctor),
).pipe(Command.withDescription("Look at all that serving needs, and say what to do about what is wrong"))

const sightline = Command.make("sightline").pipe(
  Command.withDescription("Sales intelligence behind one HTTP API"),
  Command.withSubcommands([
    demo,
    serve,
    migrate,
    orgs,
    keys,
    importing,
    uploading,
    exporting,
    asking,
    mcp,
    listening,
    signingSecret,
    doctor,
  ]),
)

/** The command line: does what a list of arguments asks for. */
export const invoke: (
  args: ReadonlyArray<string>,
) => Effect.Effect<void, Failure | CliError.CliError, Command.Environment> = Command.runWith(sightline, {
  version: VERSION,
})
