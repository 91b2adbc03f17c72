import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { METRICS } from "../../deals/columns/metrics.ts"
import type { Question } from "../questions/questions.ts"
import { RUBRICS, type Rubrics } from "../rubrics.ts"
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
import { METRIC_RULES, SCORE_RULES } from "./prompts.ts"

/** Samples of each score, with the evidence in another order. */
export const SAMPLES = 3
/** Findings of a metric that a sample shows. */
const MAX_PER_METRIC = 20

const decode = Schema.decodeUnknownOption(ScoresForm.schema)
type Sample = (typeof ScoresForm.schema.Type)["scores"][number]

/** The evidence in the order of a sample: as found, backwards, and from the middle on. */
const reorder = (referred: Referred, sample: number): Referred => {
  if (sample === 1) return referred
  if (sample === 2) return referred.toReversed()
  const middle = Math.floor(referred.length / 2)
  return [...referred.slice(middle), ...referred.slice(0, middle)]
}

/** Something that is scored: its id, the name under which the model sees it, and what the scores mean. */
interface Scale {
  readonly id: string
  readonly name: string
  readonly meaning: { readonly rubric: object } | { readonly question: string }
}

type Settled = Omit<WrittenScore, "metric">

/**
 * Scores each metric that has two findings, those of the workspace too: the median of three samples, with the explanation of a sample
 * that has that score. `own` has the workspace's words for scores.
 */
export const scoreDeal = Effect.fnUntraced(function* (
  calls: Calls,
  evidence: ReadonlyArray<Evidence>,
  parties: Parties,
  questions: ReadonlyArray<Question>,
  own: Rubrics,
) {
  const custom = questions.flatMap(({ kind, id, name, question }): ReadonlyArray<Scale> =>
    kind === "metric" ? [{ id, name, meaning: { question } }] : [],
  )
  const scales = [
    ...METRICS.map((metric): Scale => ({
      id: metric,
      name: metric,
      meaning: { rubric: own[metric] ?? RUBRICS[metric] },
    })),
    ...custom,
  ]
  const referred = refer(scales.flatMap(({ id }) => evidence.filter(isOf(id)).slice(0, MAX_PER_METRIC)))
  const scored = scales.filter(({ id }) => ofMetric(referred, id).length >= MIN_FINDINGS)
  const rules = scored.some((each) => custom.includes(each)) ? `${SCORE_RULES}\n\n${METRIC_RULES}` : SCORE_RULES
  const samples: Array<ReadonlyArray<Sample>> = []
  for (let sample = 1; sample <= SAMPLES && scored.length > 0; sample++) {
    const metrics = scored.map(({ id, name, meaning }) => ({
      metric: name,
      ...meaning,
      evidence: reorder(ofMetric(referred, id), sample).map(shown),
    }))
    const question = { purpose: "score" as const, rules, data: { ...parties, metrics } }
    const answer = yield* calls.ask({ ...question, form: ScoresForm, document: null, sample }, decode)
    samples.push(answer.scores)
  }
  let droppedSentences = 0
  const settled = new Map<string, Settled>()
  for (const { id, name } of scored) {
    const check = makeCheck(calls, ofMetric(referred, id), parties)
    const given = samples.flatMap((scores) => scores.find((each) => each.metric === name) ?? [])
    const explained = given.map((each) => ({ ...each, kept: check(each.explanation) }))
    droppedSentences += explained.reduce((sum, { explanation, kept }) => sum + explanation.length - kept.length, 0)
    settled.set(id, settle(explained))
  }
  const scoreOf = (id: string) => settled.get(id) ?? empty(TOO_FEW)
  return {
    scorecard: METRICS.map((metric): WrittenScore => ({ metric, ...scoreOf(metric) })),
    metrics: custom.map(({ id, name }) => ({ id, name, ...scoreOf(id) })),
    droppedSentences,
  }
})

const isOf =
  (metric: string) =>
  ({ kind, target_id }: Evidence) =>
    kind === "metric" && target_id === metric

const ofMetric = (referred: Referred, metric: string) => referred.filter(({ finding }) => isOf(metric)(finding))

const empty = (reason: string, samples: ReadonlyArray<number> = []): Settled => ({
  score: null,
  explanation: null,
  reason,
  samples,
  spread: null,
  sentences: [],
})

/** The median of the samples, if the explanation of one of them holds. */
const settle = (given: ReadonlyArray<Sample & { readonly kept: ReturnType<Check> }>): Settled => {
  const samples = given.map(({ score }) => score)
  if (samples.length < SAMPLES) return empty("the model did not score it each time", samples)
  const sorted = samples.toSorted((a, b) => a - b)
  const score = sorted[Math.floor(sorted.length / 2)]!
  const nearest = given.toSorted((a, b) => Math.abs(a.score - score) - Math.abs(b.score - score))
  const sentences = nearest.find(({ kept }) => restsOn(kept) >= MIN_FINDINGS)?.kept ?? []
  if (sentences.length === 0) return empty(nearest.some(({ kept }) => kept.length > 0) ? TOO_FEW : NOT_CARRIED, samples)
  const spread = sorted.at(-1)! - sorted[0]!
  return { score, explanation: joined(sentences), reason: null, samples, spread, sentences }
}
