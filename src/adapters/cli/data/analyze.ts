import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { splitCommas } from "../../../core/http/values/lists.ts"
import type { Output } from "../../client/client.ts"
import { parseFilters } from "../connection/filters.ts"
import { connectWithKey } from "../connection/server.ts"
import { Usage } from "../connection/workspace.ts"
import { print } from "../terminal/output.ts"
import { bar, count, statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"

interface AnalyzeInput {
  readonly deals: Option.Option<string>
  readonly filters: Readonly<Record<string, string>>
  readonly dryRun: boolean
  readonly url: Option.Option<string>
  readonly json: boolean
}

type Estimate = Output<"analysis", "estimate">
type Run = Output<"analysis", "progress">

/** Some deals were not analyzed; the report on stdout lists them. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

const POLL_INTERVAL = "500 millis"

/** Says what an analysis would cost, has a running server analyze the deals, and shows how far it is. */
export const analyze = Effect.fnUntraced(function* (input: AnalyzeInput) {
  const { call } = yield* connectWithKey(input.url)
  const filters = yield* chosen(input)
  const estimate = yield* call((client, signal) => client.analysis.estimate({ filters }, { signal }))
  if (input.dryRun) return yield* print(input.json, estimate, describeEstimate(estimate))
  if (!input.json) yield* print(false, estimate, describeEstimate(estimate))

  const { run_id } = yield* call((client, signal) => client.analysis.runMany({ filters }, { signal }))
  const poll = call((client, signal) => client.analysis.progress({ id: run_id }, { signal }))
  const run = yield* untilEnded(poll).pipe(
    Effect.ensuring(statusLine("")),
    stopAtSignal(`the server goes on with the run ${run_id}`),
  )
  yield* print(input.json, run, describeRun(run))
  if (run.status !== "completed") {
    return yield* new Unfinished({ message: run.error ?? `the run was ${run.status}` })
  }
  if (run.failed > 0) {
    return yield* new Unfinished({ message: `${count(run.failed)} of ${count(run.deals)} deals were not analyzed` })
  }
})

const chosen = Effect.fnUntraced(function* ({ deals, filters }: AnalyzeInput) {
  const given = yield* parseFilters(filters)
  if (Option.isNone(deals)) return given
  if (given.deal_ids !== undefined) return yield* new Usage({ message: "use either --deals or --filter deal_ids" })
  return { ...given, deal_ids: splitCommas(deals.value) }
})

const untilEnded = Effect.fnUntraced(function* <E, R>(poll: Effect.Effect<Run, E, R>) {
  for (;;) {
    const run = yield* poll
    if (!["queued", "running"].includes(run.status)) return run
    const waiting = run.error === null ? "" : ` · ${run.error}`
    yield* statusLine(
      `[${bar(run.progress)}] ${count(run.ready + run.failed)} of ${plural(run.deals, "deal")}${spent(run)}${waiting}`,
    )
    yield* Effect.sleep(POLL_INTERVAL)
  }
})

const describeEstimate = ({ deals, unchanged, documents, windows, method, tokens, cost, spending }: Estimate) => [
  `${plural(deals, "deal")}, ${count(unchanged)} of them unchanged; ${plural(documents, "document")} to read`,
  ...(method === "extracted"
    ? ["without a language model: finds names and key quotes, writes nothing, and costs nothing"]
    : [
        `at most about ${count(tokens.input)} input and ${count(tokens.output)} output tokens in ${plural(windows, "part")} of documents${dollars(cost)}`,
        `this month: ${count(spending.tokens.input + spending.tokens.output)} tokens${dollars(spending.cost)} of ${spending.budget === null ? "no budget" : count(spending.budget)}`,
      ]),
]

const describeRun = (run: Run) => [
  `${plural(run.ready, "deal")} analyzed, ${plural(run.findings, "finding")}${spent(run)}`,
  ...run.failures.map(({ deal_name, deal_id, reason }) => `${deal_name} (${deal_id}): ${reason}`),
]

const spent = ({ tokens: { input, output }, cost }: Run) =>
  input + output === 0 ? "" : ` · ${count(input + output)} tokens${dollars(cost)}`

const dollars = (cost: number | null) =>
  cost === null ? "" : ` (US$ ${cost.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })})`

const plural = (number: number, noun: string) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`
