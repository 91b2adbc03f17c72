import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { METRICS } from "../../deals/metrics.ts"
import type { WrittenScore } from "../written.ts"
import type { Calls } from "./calls.ts"
import {
  type Check,
  type Evidence,
  joined,
  makeCheck,
  MIN_FINDINGS,
  NOT_CARRIED,
  type Parties,
  refer,
  type Referred,
  restsOn,
  shown,
  TOO_FEW,
} from "./evidence.ts"
import { ScoresForm } from "./forms.ts"
import { type Metric, RUBRICS, SCORE_RULES } from "./prompts.ts"

/** Samples of each score, with the evidence in another order. */
export const SAMPLES = 3
/** Findings of a metric that a sample shows. */
const MAX_PER_METRIC = 20

const decode = Schema.decodeUnknownOption(ScoresForm.schema)
type Sample = (typeof ScoresForm.schema.Type)["scores"][number]

/** The evidence in the order of a sample: as found, backwards, and from the middle on. */
const orderOf = (referred: Referred, sample: number): Referred => {
  if (sample === 1) return referred
  if (sample === 2) return referred.toReversed()
  const middle = Math.floor(referred.length / 2)
  return [...referred.slice(middle), ...referred.slice(0, middle)]
}

/** Scores each metric that has two findings: the median of three samples, with the explanation of a sample that has that score. */
export const scoreDeal = Effect.fnUntraced(function* (
  calls: Calls,
  evidence: ReadonlyArray<Evidence>,
  parties: Parties,
) {
  const referred = refer(METRICS.flatMap((metric) => evidence.filter(isOf(metric)).slice(0, MAX_PER_METRIC)))
  const scored = METRICS.filter((metric) => ofMetric(referred, metric).length >= MIN_FINDINGS)
  const samples: Array<ReadonlyArray<Sample>> = []
  for (let sample = 1; sample <= SAMPLES && scored.length > 0; sample++) {
    const metrics = scored.map((metric) => ({
      metric,
      rubric: RUBRICS[metric],
      evidence: orderOf(ofMetric(referred, metric), sample).map(shown),
    }))
    const question = { purpose: "score" as const, rules: SCORE_RULES, data: { ...parties, metrics } }
    const answer = yield* calls.ask({ ...question, form: ScoresForm, document: null, sample }, decode)
    samples.push(answer.scores)
  }
  let droppedSentences = 0
  const scorecard = METRICS.map((metric): WrittenScore => {
    if (!scored.includes(metric)) return empty(metric, TOO_FEW)
    const check = makeCheck(calls, ofMetric(referred, metric), parties)
    const given = samples.flatMap((scores) => scores.find((each) => each.metric === metric) ?? [])
    const explained = given.map((each) => ({ ...each, kept: check(each.explanation) }))
    droppedSentences += explained.reduce((sum, { explanation, kept }) => sum + explanation.length - kept.length, 0)
    return settle(metric, explained)
  })
  return { scorecard, droppedSentences }
})

const isOf =
  (metric: Metric) =>
  ({ kind, target_id }: Evidence) =>
    kind === "metric" && target_id === metric

const ofMetric = (referred: Referred, metric: Metric) => referred.filter(({ finding }) => isOf(metric)(finding))

const empty = (metric: Metric, reason: string, samples: ReadonlyArray<number> = []): WrittenScore => ({
  metric,
  score: null,
  explanation: null,
  reason,
  samples,
  spread: null,
  sentences: [],
})

/** The median of the samples, if the explanation of one of them holds. */
const settle = (metric: Metric, given: ReadonlyArray<Sample & { readonly kept: ReturnType<Check> }>): WrittenScore => {
  const samples = given.map(({ score }) => score)
  if (samples.length < SAMPLES) return empty(metric, "the model did not score it each time", samples)
  const sorted = samples.toSorted((a, b) => a - b)
  const score = sorted[Math.floor(sorted.length / 2)]!
  const nearest = given.toSorted((a, b) => Math.abs(a.score - score) - Math.abs(b.score - score))
  const sentences = nearest.find(({ kept }) => restsOn(kept) >= MIN_FINDINGS)?.kept ?? []
  if (sentences.length === 0)
    return empty(metric, nearest.some(({ kept }) => kept.length > 0) ? TOO_FEW : NOT_CARRIED, samples)
  const spread = sorted.at(-1)! - sorted[0]!
  return { metric, score, explanation: joined(sentences), reason: null, samples, spread, sentences }
}
