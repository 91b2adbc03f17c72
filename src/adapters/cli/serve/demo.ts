import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../../core/keys/ApiKeys.ts"
import { signInUrl } from "../../../core/sessions/links.ts"
import { Sessions } from "../../../core/sessions/Sessions.ts"
import { Documents } from "../../../core/library/Documents.ts"
import { makeDemo } from "../demo/makeDemo.ts"
import { makeDemoCalls, makeDemoDocuments } from "../demo/makeDocuments.ts"
import { SELLERS } from "../demo/sellers.ts"
import { Organizations } from "../../../core/catalogue/Organizations.ts"
import { type Configuration, configuration } from "../../configuration/configuration.ts"
import { withOperatorKey, withSigningSecret } from "../../configuration/options.ts"
import { loadConsole } from "../../console/load.ts"
import { type DemoKey, storeDemo, readDemo } from "../connection/demoKey.ts"
import { print } from "../terminal/output.ts"
import { count, progress } from "../terminal/progress.ts"
import { untilSignal } from "./serve.ts"

const ORGANIZATION = SELLERS[0]!.id

/** Serves a workspace of invented deals, and prints sample requests. */
export const demo = Effect.fnUntraced(function* (input: { readonly json: boolean }) {
  const settings = yield* configuration.pipe(Effect.flatMap(withSigningSecret), Effect.flatMap(withOperatorKey))
  let key = ""
  let link: string | undefined
  const prepare = Effect.gen(function* () {
    const kept = yield* readDemo(settings)
    if ((yield* (yield* Organizations).find(ORGANIZATION)) === undefined || kept === undefined) yield* fill
    const usable = yield* usableKey(settings, kept)
    key = usable.key
    if ((yield* Effect.promise(loadConsole)) !== undefined) {
      const sessions = yield* Sessions
      const made = yield* sessions.createLink(ORGANIZATION, { keyId: usable.keyId, credential: key, isLocal: true })
      link = made.token
    }
    yield* Effect.forkDetach(documents)
  })
  yield* untilSignal(settings, { prepare }, ({ url }) => {
    const curl = examples(`${settings.publicUrl ?? url}/api/v1`, key)
    const opened = link === undefined ? undefined : signInUrl(url, link)
    return print(input.json, { url, console: opened, key, organization_id: ORGANIZATION, curl }, [
      `Sightline serves a demo workspace at ${url}`,
      "",
      ...(opened === undefined
        ? []
        : [`  open ${opened}`, "       (once, within 15 minutes; then run: sightline login)", ""]),
      ...(settings.docs === false ? [] : [`  docs ${url}/docs`, ""]),
      "In another terminal:",
      "",
      `export BASE=${settings.publicUrl ?? url}/api/v1`,
      `export KEY=${key}`,
      "",
      "Try:",
      ...curl.flatMap((line) => ["", line]),
      "",
    ])
  })
})

const fill = Effect.gen(function* () {
  yield* Effect.sync(() => console.error("Creating the demo workspace, once."))
  const shown = progress("Demo workspace")
  const made = yield* makeDemo({ until: yield* Clock.currentTimeMillis, onProgress: shown.update }).pipe(
    Effect.ensuring(shown.clear),
  )
  const failed = made.flatMap(({ report }) => report.errors)
  if (failed[0] !== undefined) return yield* Effect.die(new Error(`demo record refused: ${JSON.stringify(failed[0])}`))
  const records = made.reduce((sum, { report }) => sum + report.received, 0)
  yield* Effect.sync(() => console.error(`${count(records)} records in ${shown.seconds().toFixed(1)} s.`))
})

/** Indexes the documents while the server already answers: reading them would delay the start. */
const documents = Effect.gen(function* () {
  const { data } = yield* (yield* Documents).list(ORGANIZATION, {}, { size: 1, cursor: undefined })
  if (data.length > 0) return
  const now = yield* Clock.currentTimeMillis
  yield* makeDemoDocuments(now)
  yield* makeDemoCalls(now)
}).pipe(
  Effect.catchCause((cause) =>
    // The end of the process interrupts it.
    Cause.hasInterrupts(cause) ? Effect.void : Effect.logWarning("could not load the demo's documents", cause),
  ),
)

/** Returns the previous start's key if it still works, else a new one. */
const usableKey = Effect.fnUntraced(function* (settings: Configuration, kept: DemoKey | undefined) {
  const keys = yield* ApiKeys
  if (kept !== undefined) {
    const found = yield* Effect.option(keys.find(ORGANIZATION, kept.keyId))
    if (found._tag === "Some" && found.value.revoked_at === null && kept.key.startsWith(found.value.display)) {
      return kept
    }
  }
  const made = yield* keys.create(ORGANIZATION, { name: "demo", role: "admin" })
  const usable = { keyId: made.id, key: made.key }
  yield* storeDemo(settings, usable)
  return usable
})

const examples = (base: string, key: string) => {
  const ask = (path: string, parameters: ReadonlyArray<string>) =>
    [
      `curl -s -G '${base}${path}' -H 'Authorization: Bearer ${key}'`,
      ...parameters.map((parameter) => `--data-urlencode '${parameter}'`),
    ].join(" ")
  const content = `How many deals did we lose to ${SELLERS[0]!.competitors[2]} last quarter, and why?`
  const question = JSON.stringify({ messages: [{ role: "user", content }] })
  return [
    ask("/deals", [
      'status=["Lost"]',
      'amount={"min":100000}',
      "columns=name,amount,client_name,primary_competitor,drivers",
      "page_size=3",
    ]),
    `curl -s '${base}/responses' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${question}'`,
    ask("/product-intelligence", ["sentiment=negative", "tags=blocker", "product=Quellaria Flow"]),
  ]
}
