import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { analystOf } from "../../src/adapters/models/openai.ts"
import { type Act, type ChatRequest, modelServer } from "../answers/modelServer.ts"
import { engines } from "../support/engines.ts"
import { layerWeb } from "../support/web.ts"
import { CALL, upload, workspace } from "./workspace.ts"

export const MODEL = "scripted-1"

/** A request to the model: the data of the user's message and the form that it must fill in. */
export interface Asked {
  readonly form: "record_findings" | "record_sections" | "record_scores" | "record_answers"
  readonly data: any
  readonly request: ChatRequest
}

/** How the model answers: with the arguments of the form, or with any acts. */
export type Conduct = (asked: Asked, nth: number) => { readonly fill: unknown } | { readonly acts: ReadonlyArray<Act> }

/** The model of a test, which answers as `conduct` says. */
export class Model extends Context.Service<
  Model,
  {
    /** `silence`: seconds until the service gives up a model that sends nothing. */
    readonly conduct: (conduct: Conduct, silence?: number) => Effect.Effect<void>
    /** The requests since the last `conduct`. */
    readonly asked: () => ReadonlyArray<Asked>
  }
>()("test/Model") {}

export const askedOf = (request: ChatRequest): Asked => ({
  form: request.tools?.[0]?.function.name as Asked["form"],
  data: JSON.parse(request.messages.find(({ role }) => role === "user")?.content ?? "null"),
  request,
})

/** The service with a model on this machine. */
export const layerModelWeb = (engine: (typeof engines)[number], library?: Parameters<typeof layerWeb>[1]) =>
  Layer.unwrap(
    Effect.gen(function* () {
      let current: Conduct = right
      let asked: Array<Asked> = []
      const options = { model: MODEL, tries: 2, pause: 0.01, silence: 30 }
      const { url } = yield* modelServer((request) => {
        const each = askedOf(request)
        asked.push(each)
        const answer = current(each, asked.length)
        return "acts" in answer ? answer.acts : [{ call: each.form, args: answer.fill }]
      })
      const model = Model.of({
        conduct: (conduct, silence = 30) =>
          Effect.sync(() => {
            current = conduct
            options.silence = silence
            asked = []
          }),
        asked: () => asked,
      })
      const analyst = analystOf(Object.assign(options, { url }))
      return Layer.merge(
        Layer.succeed(Model, model),
        layerWeb(engine.database, library, undefined, true, undefined, analyst),
      )
    }),
  )

interface Proposed {
  readonly kind: string
  readonly target: string
  readonly effect: string | null
  readonly quote: string
}

const KNOWN: ReadonlyArray<Proposed> = [
  { kind: "driver", target: "Price", effect: "negative", quote: "The price is too high for what we would use." },
  { kind: "quote", target: "Price", effect: "negative", quote: "the price is too high" },
  { kind: "metric", target: "price_sensitivity", effect: "negative", quote: "The price is too high" },
  { kind: "metric", target: "price_sensitivity", effect: "negative", quote: "Orvanta is cheaper than you." },
  { kind: "competitor", target: "Orvanta Flow", effect: "negative", quote: "Yes, Orvanta is cheaper than you." },
  { kind: "feature", target: "SSO", effect: "positive", quote: "We love single sign on, it works great." },
  { kind: "metric", target: "product_fit", effect: "positive", quote: "We love single sign on" },
]

/** Finds what it knows in the turns, with the side of the turn. */
export const findKnown = (data: any, known: ReadonlyArray<Proposed> = KNOWN) =>
  known.flatMap((each) => {
    const turn = data.turns.find(({ text }: any) => text.toLowerCase().includes(each.quote.toLowerCase()))
    return turn === undefined ? [] : [{ ...each, side: turn.side, turns: [turn.turn] }]
  })

const quoteOf = ({ quote, ref }: any) => ({ text: quote, refs: [ref] })

export const sectionsOf = (data: any) => {
  const ofKind = (...kinds: ReadonlyArray<string>) => data.findings.filter(({ kind }: any) => kinds.includes(kind))
  return {
    executive_summary: ofKind("driver", "feature").map(quoteOf),
    deal_overview: [],
    decision_drivers: ofKind("driver", "feature", "quote").map(quoteOf),
    competitive_landscape: ofKind("competitor").map(quoteOf),
    lessons_learned: [],
    recommendations: [
      {
        text: "Offer a smaller package and keep the sign-on.",
        refs: ofKind("driver", "feature").map((f: any) => f.ref),
      },
    ],
  }
}

/** Each sample scores by the order in which it sees the evidence, so that samples differ. */
export const scoresOf = (data: any, scores: ReadonlyArray<number>, nth: number) => ({
  scores: data.metrics.map(({ metric, evidence }: any) => ({
    metric,
    explanation: evidence.map(quoteOf),
    score: scores[nth % scores.length],
  })),
})

/** Answers well. */
export const right: Conduct = ({ form, data }, nth) => {
  if (form === "record_findings") return { fill: { findings: findKnown(data) } }
  return { fill: form === "record_sections" ? sectionsOf(data) : scoresOf(data, [4, 2, 4], nth) }
}

/** A second call in which the buyer repeats the price. */
export const OTHER_CALL = `WEBVTT

00:00:01.000 --> 00:00:09.000
<v Dana Reyes (Hartwell)>We cannot pay for seats that nobody uses. The price is too high again.
`

/** A workspace whose deal `d1` has one call, and the model's conduct. */
export const prepared = Effect.fnUntraced(function* (conduct: Conduct = right, call = CALL) {
  const { org, key } = yield* workspace
  yield* upload("d1", "Second call.vtt", call, key)
  yield* Effect.flatMap(Model, (model) => model.conduct(conduct))
  return { org, key }
})
