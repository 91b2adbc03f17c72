import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engines } from "../support/engines.ts"
import { type Conduct, findKnown, layerModelWeb, Model, OTHER_CALL, prepared, right } from "./scriptedModel.ts"
import { analyzed, get, getUntil, send, upload } from "./workspace.ts"

const PRICE = "The price is too high for what we would use."

const FOUND = [
  { kind: "answer", target: "Budget", effect: null, quote: PRICE },
  { kind: "answer", target: "Rival", effect: null, quote: "Yes, Orvanta is cheaper than you." },
  { kind: "metric", target: "Urgency", effect: null, quote: PRICE },
  { kind: "metric", target: "Urgency", effect: null, quote: "Yes, Orvanta is cheaper than you." },
]

/** Answers questions; `answers` are written from the refs of each question. */
const answering =
  (answers: (name: string, refs: ReadonlyArray<string>) => object): Conduct =>
  (asked, nth) => {
    const { form, data } = asked
    if (form === "record_findings") {
      const names = new Set((data.questions ?? []).map(({ name }: any) => name))
      const own = FOUND.filter(({ target }) => names.has(target))
      return { fill: { findings: [...findKnown(data), ...findKnown(data, own)] } }
    }
    if (form !== "record_answers") return right(asked, nth)
    return {
      fill: {
        answers: data.questions.map(({ question, findings }: any) => ({
          question,
          ...answers(
            question,
            findings.map(({ ref }: any) => ref),
          ),
        })),
      },
    }
  }

const honest = answering((name, refs) =>
  name === "Budget"
    ? { value: "no", sentences: [{ text: "The price is too high.", refs }] }
    : { value: "orvanta", sentences: [{ text: "Orvanta is cheaper.", refs }] },
)

const put = Effect.fnUntraced(function* (key: string, path: string, body: object) {
  const reply = yield* send("PUT", `/workspace/${path}`, key, body)
  if (reply.status > 201) throw new Error(reply.text)
  return reply.json
})

const BUDGET = { name: "Budget", question: "Does the budget cover our price?", form: "boolean" }
const RIVAL = { name: "Rival", question: "Who is ahead?", form: "option", options: ["Orvanta", "Summit"] }
const URGENCY = { name: "Urgency", question: "How soon do they need it? 1: no date; 5: within a month." }

const asking = Effect.fnUntraced(function* (conduct: Conduct) {
  const { org, key } = yield* prepared(conduct)
  yield* put(key, "answers/a_budget", BUDGET)
  yield* put(key, "answers/a_rival", RIVAL)
  yield* put(key, "answers/a_sponsor", { name: "Sponsor", question: "Who speaks for us?" })
  yield* put(key, "metrics/m_urgency", URGENCY)
  return { org, key }
})

const answerOf = (analysis: any, name: string) => analysis.custom_answers.find((each: any) => each.name === name)
const columns = (key: string) =>
  get(
    "/deals/d1?columns=custom_answer_Budget,custom_answer_Rival,custom_answer_Sponsor,custom_metric_score_Urgency",
    key,
  )

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerModelWeb(engine)))
  describe(`the workspace's questions on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("are answered in their form from findings, and not without a quote", () =>
        Effect.gen(function* () {
          const { key } = yield* asking(honest)
          const { analysis } = yield* analyzed("d1", key)
          assert.deepInclude(answerOf(analysis, "Budget"), {
            text: "No. The price is too high.",
            value: "No",
            reason: null,
          })
          assert.deepInclude(answerOf(analysis, "Rival"), { text: "Orvanta", value: "Orvanta" })
          assert.deepInclude(answerOf(analysis, "Sponsor"), { text: null, reason: "not established", sentences: [] })
          const [urgency] = analysis.custom_metrics
          assert.deepInclude(urgency, { id: "m_urgency", name: "Urgency", score: 4, spread: 2 })
          const quotes = new Map(analysis.findings.map(({ id, quote }: any) => [id, quote]))
          const [finding] = answerOf(analysis, "Budget").sentences[0].findings
          assert.strictEqual(quotes.get(finding), PRICE)
          assert.deepInclude(yield* columns(key), {
            custom_answer_Budget: "No. The price is too high.",
            custom_answer_Rival: "Orvanta",
            custom_answer_Sponsor: null,
            custom_metric_score_Urgency: 4,
          })
        }),
      )

      it.effect("take no sentence that their quotes do not carry, and no value that the form does not allow", () =>
        Effect.gen(function* () {
          const lying = answering((name, refs) =>
            name === "Budget"
              ? { value: "yes", sentences: [{ text: "The board approved 90,000 dollars.", refs }] }
              : { value: "Globex", sentences: [{ text: "Orvanta is cheaper.", refs }] },
          )
          const { key } = yield* asking(lying)
          const { analysis } = yield* analyzed("d1", key)
          assert.include(answerOf(analysis, "Budget").reason, "no sentence is carried")
          assert.include(answerOf(analysis, "Rival").reason, "a value that is not allowed")
          assert.strictEqual(analysis.dropped.sentence, 1)
          assert.deepInclude(yield* columns(key), { custom_answer_Budget: null, custom_answer_Rival: null })
        }),
      )

      it.effect("leave a person's answer, and report a choice that differs as a conflict", () =>
        Effect.gen(function* () {
          const { key } = yield* asking(honest)
          const record = {
            custom_answers: { Budget: "Yes, the board agreed." },
            custom_metrics: { Urgency: { score: 1 } },
          }
          assert.strictEqual((yield* send("PATCH", "/deals/d1", key, record)).status, 200)
          const { analysis } = yield* analyzed("d1", key)
          assert.deepInclude(yield* columns(key), {
            custom_answer_Budget: "Yes, the board agreed.",
            custom_answer_Rival: "Orvanta",
            custom_metric_score_Urgency: 1,
          })
          assert.deepStrictEqual(
            analysis.conflicts.flatMap(({ field, target, recorded, proposed }: any) =>
              field.startsWith("custom") ? [[field, target.name, recorded, proposed]] : [],
            ),
            [
              ["custom_metrics", "Urgency", 1, 4],
              ["custom_answers", "Budget", "Yes, the board agreed.", "No. The price is too high."],
            ],
          )
          // An answer that a person removed does not come back either.
          yield* send("PATCH", "/deals/d1", key, { custom_answers: { Rival: null } })
          yield* upload("d1", "Third call.vtt", OTHER_CALL, key)
          yield* analyzed("d1", key)
          assert.isNull((yield* columns(key)).custom_answer_Rival)
        }),
      )

      it.effect("are asked of the deals that their filters match, and again when they change", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared(honest)
          const model = yield* Model
          yield* put(key, "answers/a_budget", { ...BUDGET, filters: { amount: { min: 60_000 } } })
          const first = (yield* analyzed("d1", key)).analysis
          assert.deepStrictEqual([first.stale, first.custom_answers], [false, []])
          assert.isUndefined(model.asked()[0]!.data.questions)

          yield* send("PATCH", "/deals/d1", key, { amount: 61_000 })
          assert.isTrue((yield* get("/deals/d1/analysis", key)).stale)
          const larger = (yield* analyzed("d1", key)).analysis
          assert.strictEqual(answerOf(larger, "Budget").value, "No")

          yield* model.conduct(honest)
          yield* send("PATCH", "/deals/d1", key, { amount: 62_000 })
          yield* analyzed("d1", key)
          assert.deepStrictEqual(model.asked(), [], "the same questions")
          yield* put(key, "answers/a_budget", { question: "Can they pay?" })
          assert.isTrue((yield* get("/deals/d1/analysis", key)).stale)
          yield* analyzed("d1", key)
          assert.include(JSON.stringify(model.asked()[0]!.data.questions), "Can they pay?")
        }),
      )

      it.effect("refuse a name of a standard score, a form without options, and filters that do not exist", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          for (const [path, body, field] of [
            ["metrics/m_fit", { name: "Product fit", question: "Does it fit?" }, "name"],
            ["answers/a_rival", { ...RIVAL, options: ["Orvanta"] }, "options"],
            ["answers/a_budget", { ...BUDGET, form: "essay" }, "form"],
          ] as const) {
            const { status, json } = yield* send("PUT", `/workspace/${path}`, key, body)
            assert.deepStrictEqual([status, json.error.details.invalid_fields[0].field], [400, field])
          }
          assert.deepInclude(yield* put(key, "answers/a_rival", RIVAL), { ...RIVAL, filters: {}, deals: 0 })
        }),
      )
    })
  })

  describe(`the setting \`analysis\` on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("runs an analysis when a document was read if it is automatic, and not otherwise", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          assert.strictEqual((yield* get("/deals/d1/analysis", key)).state, "none")
          const { json } = yield* send("PUT", "/workspace", key, { analysis: "automatic" })
          assert.strictEqual(json.analysis, "automatic")
          yield* upload("d1", "Third call.vtt", OTHER_CALL, key)
          const isRead = ({ state, stale }: any) => state === "ready" && !stale
          const analysis = yield* getUntil("an analysis", "/deals/d1/analysis", key, isRead)
          assert.strictEqual(new Set(analysis.findings.map((each: any) => each.document_id)).size, 2)
        }),
      )
    })
  })
}
