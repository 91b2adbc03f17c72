/**
 * Fetches on the runtime that runs this: `fetchProbe.ts PORT TLS_PORT [NAME]`, the ports of `fileServer.ts`. Prints the result of each
 * address, or of the one of this name, as JSON by name.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import process from "node:process"
import { layerGuarded } from "../../../src/adapters/fetch/guarded.ts"
import { UrlFetcher } from "../../../src/core/ports/UrlFetcher.ts"
import { ALLOWED, REFUSED } from "./spellings.ts"

const [, , port = 0, tlsPort = 0] = process.argv.map(Number)
const only = process.argv[4]
const own = `http://127.0.0.1:${port}`
const to = (url: string) => `${own}/redirect?to=${encodeURIComponent(url)}`

const asked: Record<string, number> = {}
const LOOPBACK = { address: "127.0.0.1", family: 4 }
const resolve = async (name: string) => {
  const times = (asked[name] = (asked[name] ?? 0) + 1)
  if (name === "silent.example") return new Promise<never>(() => {})
  if (name === "missing.example") throw Object.assign(new Error("none"), { code: "ENOTFOUND" })
  if (name === "troubled.example") throw Object.assign(new Error("later"), { code: "EAI_AGAIN" })
  if (name === "empty.example") return []
  if (name === "metadata.example") return [{ address: "169.254.169.254", family: 4 }]
  if (name === "mixed.example") return [LOOPBACK, { address: "10.0.0.1", family: 4 }]
  if (name === "six.example") return [{ address: "::ffff:10.0.0.1", family: 6 }]
  if (name === "rebound.example" && times > 1) return [{ address: "10.0.0.1", family: 4 }]
  return [LOOPBACK]
}

/** In this order: `rebound` is public at the first look-up, and private from then on. */
const ADDRESSES: Record<string, string> = {
  file: `${own}/file`,
  echo: `${own}/echo`,
  named: `http://files.example:${port}/file`,
  rebound: `http://rebound.example:${port}/file`,
  "rebound again": `http://rebound.example:${port}/file`,
  mixed: `http://mixed.example:${port}/file`,
  metadata: "http://metadata.example/latest",
  six: "http://six.example/",
  missing: "http://missing.example/",
  empty: "http://empty.example/",
  troubled: "http://troubled.example/",
  silent: "http://silent.example/",
  localhost: "http://localhost/",
  "to private": to("http://10.0.0.1/"),
  "to metadata": to("http://metadata.example/"),
  "to a file": to("file:///etc/passwd"),
  "to another port": to("http://127.0.0.1:1/"),
  "to itself": to("/file"),
  "five redirects": `${own}/chain?n=5`,
  "six redirects": `${own}/chain?n=6`,
  "no such file": `${own}/nothing`,
  compressed: `${own}/compressed`,
  cookie: `${own}/cookie`,
  huge: `${own}/huge`,
  endless: `${own}/endless`,
  drip: `${own}/drip`,
  mute: `${own}/mute`,
  cut: `${own}/cut`,
  tls: `https://files.example:${tlsPort}/file`,
  "tls of another name": `https://other.example:${tlsPort}/file`,
  "tls to http": `https://files.example:${tlsPort}/redirect?to=${encodeURIComponent(`${own}/file`)}`,
  closed: "http://127.0.0.1:1/",
}

interface Limits {
  readonly seconds?: number
  readonly connectSeconds?: number
}

/** Limits that an address must meet. All others are so long that a busy machine meets none by itself. */
const LIMITS: Record<string, Limits> = {
  silent: { connectSeconds: 0.4 },
  // Replies after the time to connect has passed.
  slow: { connectSeconds: 5 },
  drip: { seconds: 1 },
  mute: { seconds: 1 },
}

const fetcherWithin = ({ connectSeconds = 600 }: Limits) =>
  layerGuarded({ allowLoopback: [port, tlsPort], resolve, connectSeconds })

const outcome = (url: string, limits: Limits = {}) =>
  Effect.gen(function* () {
    const { seconds = 600 } = limits
    const { contentType, bytes } = yield* (yield* UrlFetcher).fetch(url, { maxBytes: 100_000, seconds })
    return { contentType, body: Buffer.concat(yield* Stream.runCollect(bytes)).toString("latin1") }
  }).pipe(
    Effect.scoped,
    Effect.provide(fetcherWithin(limits)),
    Effect.catch((error) =>
      Effect.succeed("reason" in error ? `${error.reason}: ${error.message}` : `refused: ${error.message}`),
    ),
  )

const posted = (url: string, { seconds = 600 }: Limits = {}) =>
  Effect.flatMap(UrlFetcher, ({ post }) => post(url, { headers: { "x-told": "1" }, body: "größer" }, { seconds })).pipe(
    Effect.map(({ status }) => status),
    Effect.catch((error) => Effect.succeed("reason" in error ? error.reason : "refused")),
  )

const POSTED: Record<string, string> = {
  taken: `${own}/take`,
  named: `http://files.example:${port}/take`,
  "to itself": to("/take"),
  six: "http://six.example/",
  "to a private address": "http://10.0.0.1/",
  "to another port": "http://127.0.0.1:1/",
  mute: `${own}/mute`,
  endless: `${own}/endless`,
}

const probe = Effect.gen(function* () {
  const { check } = yield* UrlFetcher
  const results: Record<string, unknown> = {}
  const slow = yield* Effect.forkChild(outcome(`${own}/slow`, LIMITS["slow"]))
  for (const [name, url] of Object.entries(ADDRESSES)) results[name] = yield* outcome(url, LIMITS[name])
  const wrong: Array<string> = []
  for (const url of REFUSED) {
    const checked = yield* Effect.exit(check(url, "fetch"))
    const fetched = yield* outcome(url)
    if (checked._tag === "Success" || !String(fetched).startsWith("refused")) wrong.push(`${url} was not refused`)
  }
  for (const url of ALLOWED)
    if ((yield* Effect.exit(check(url, "fetch")))._tag === "Failure") wrong.push(`${url} was refused`)
  const answers: Record<string, unknown> = {}
  for (const [name, url] of Object.entries(POSTED)) answers[name] = yield* posted(url, LIMITS[name])
  results["slow"] = yield* Fiber.join(slow)
  return { results, wrong, asked, answers }
})

const found =
  only === undefined
    ? await Effect.runPromise(Effect.provide(probe, fetcherWithin({})))
    : { results: { [only]: await Effect.runPromise(outcome(ADDRESSES[only]!)) } }
process.stdout.write(JSON.stringify(found), () => process.exit())
