import process from "node:process"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { configuration, type Configuration } from "../../configuration/configuration.ts"
import { inspectEnvironment } from "../../configuration/environment.ts"
import { checkBaseUrl } from "./baseUrl.ts"
import { checkDatabase } from "./checkDatabase.ts"
import { checkDuplicates } from "./checkDuplicates.ts"
import {
  type Check,
  checkBlobs,
  checkDirectory,
  checkEmbedding,
  checkLibreOffice,
  checkModel,
  checkOcr,
  checkPort,
  checkRedis,
  checkTranscription,
  ok,
  problem,
  warning,
} from "./checks.ts"
import { print } from "../terminal/output.ts"

/** Says which secret authenticates backups, and whether it survives this machine. */
const checkBackups = ({ backupKey, signingSecret }: Configuration): Check => {
  if (backupKey !== undefined) return ok("backups", "authenticated by SIGHTLINE_BACKUP_KEY")
  if (signingSecret !== undefined) return ok("backups", "authenticated by SIGHTLINE_SIGNING_SECRET")
  return warning(
    "backups",
    "authenticated by the signing secret in the data directory, which is lost with this machine: set SIGHTLINE_BACKUP_KEY, or back up with --passphrase-file",
  )
}

/** The report names problems, so the exit code is 1. */
class Problems extends Schema.TaggedError<Problems>()("Problems", { message: Schema.String }) {}

/** Checks everything that serving needs, without changes, and reports problems. */
export const doctor = Effect.fnUntraced(function* (input: { readonly json: boolean }) {
  const settings = yield* Effect.result(configuration)
  const checks = [
    checkRuntime(),
    yield* checkEnvironment,
    ...(Result.isSuccess(settings) ? yield* checkAll(settings.success) : [badConfiguration(settings.failure)]),
  ]
  const problems = checks.filter(({ state }) => state === "problem").length
  yield* print(input.json, { ok: problems === 0, checks }, checks.flatMap(lines))
  if (problems > 0) {
    return yield* new Problems({ message: problems === 1 ? "there is a problem" : `there are ${problems} problems` })
  }
})

const checkAll = (settings: Configuration) =>
  Effect.map(allChecks(settings), (checks) => checks.filter((check) => check !== undefined))

const allChecks = (settings: Configuration) =>
  Effect.all([
    checkDirectory(settings),
    checkDatabase(settings),
    checkDuplicates(settings),
    checkBlobs(settings),
    checkRedis(settings),
    checkTranscription(settings),
    checkOcr(settings),
    checkLibreOffice(settings),
    checkModel(settings),
    checkEmbedding(settings),
    checkPort(settings),
    Effect.succeed(checkBaseUrl(settings)),
    Effect.succeed(checkBackups(settings)),
  ])

const lines = ({ name, state, detail, remedy }: Check) => [
  `${state.padEnd(8)} ${name.padEnd(10)} ${detail}`,
  ...(remedy === undefined ? [] : [`${" ".repeat(20)}${remedy}`]),
]

const badConfiguration = ({ message }: { readonly message: string }) =>
  problem("settings", message.split("\n").join("; "), "correct these variables; docs/configuration.md lists them all")

/** Lists what is set. Nothing but the environment sets it. */
const checkEnvironment = Effect.map(inspectEnvironment(), ({ set, problems }): Check => {
  const found = set.length === 0 ? "no variable is set: all settings are the defaults" : `set: ${set.join(", ")}`
  return problems.length === 0
    ? ok("variables", found)
    : {
        ...warning("variables", `${problems.join("; ")}; ${found}`),
        remedy: "docs/configuration.md lists the variables",
      }
})

const NEEDED = { Node: [24, 0], Bun: [1, 4], Deno: [2, 9] } as const

const checkRuntime = (): Check => {
  const versions = process.versions as Record<string, string | undefined>
  const name = versions["bun"] !== undefined ? "Bun" : versions["deno"] !== undefined ? "Deno" : "Node"
  const version = versions[name.toLowerCase()] ?? "0"
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [neededMajor, neededMinor] = NEEDED[name]
  const enough = major > neededMajor || (major === neededMajor && minor >= neededMinor)
  return enough
    ? ok("runtime", `${name} ${version}`)
    : problem("runtime", `${name} ${version}`, `install ${name} ${neededMajor}.${neededMinor} or later`)
}
