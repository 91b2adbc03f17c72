import * as Effect from "effect/Effect"
import { RecordEdits } from "../../deals/edits/RecordEdits.ts"
import type { Job } from "../../jobs/JobQueue.ts"
import { Foreground } from "../../jobs/Foreground.ts"
import { Database } from "../../storage/Database.ts"
import { joinConversations } from "../conversation.ts"
import type { Catalogue, Extract } from "../extracted/extract.ts"
import type { Found } from "../finding.ts"
import { MAX_WINDOWS, joinTurns, type Utterance, cutWindows } from "../inputs/utterances.ts"
import { readTurns } from "../inputs/turns.ts"
import { publishWritten } from "../publish/publishWritten.ts"
import { readQuestions } from "../questions/questions.ts"
import type { SideOf } from "../side/sides.ts"
import { type InputRow, selectBody, selectIds, selectJudged } from "../sql.ts"
import { queueEvent } from "../../webhooks/queueEvent.ts"
import { publishFindings, pruneCalls, withKeys } from "../writing.ts"
import type { WrittenAnalysis } from "../written.ts"
import type { ReadDocument } from "../readDocument.ts"
import { answerQuestions } from "./answer.ts"
import { makeCalls } from "./calls.ts"
import type { Evidence } from "./evidence.ts"
import { makeWindowReader } from "./findInDocument.ts"
import { describeDeciding, PROMPT_VERSION } from "./prompts.ts"
import { scoreDeal } from "./score.ts"
import { writeSections } from "./write.ts"

/** Windows that are asked about at the same time. */
const CONCURRENT_WINDOWS = 3
/** Between two documents, the worker waits this long, at most, for requests in flight. */
const MAX_IDLE_WAIT_MS = 50

type DocumentFound = Found & { readonly document: string }

interface Deal {
  readonly job: Job
  readonly deal: string
  readonly input: InputRow
  readonly catalogue: Catalogue
  readonly sideOf: SideOf
  readonly read: ReadDocument
  readonly maxFindings: number
}

/** Finds, writes and scores by a model, and publishes the result in one transaction. */
export const analyzeWithModel = Effect.fnUntraced(function* (given: Deal) {
  const { job, deal, input, catalogue, sideOf, read, maxFindings } = given
  const { org, id: run } = job
  const database = yield* Database
  const { sql } = database
  const { waitUntilIdle } = yield* Foreground
  const calls = yield* makeCalls(org, deal, run)
  const questions = yield* readQuestions(org, deal)
  const readWindow = makeWindowReader(catalogue, questions)
  const dropped: Record<string, number> = {}
  const drop = (reason: keyof WrittenAnalysis["dropped"], count = 1) => {
    if (count > 0) dropped[reason] = (dropped[reason] ?? 0) + count
  }

  /** Asks about each window of a document. */
  const findIn = Effect.fnUntraced(function* (document: string, windows: ReadonlyArray<ReadonlyArray<Utterance>>) {
    if (windows.length === 0) return []
    const [text] = yield* database.scoped<{ body: string }>(org, selectBody(sql, document))
    if (text === undefined) return []
    const found = yield* Effect.forEach(windows, (window) => readWindow(calls, document, window, text.body), {
      concurrency: CONCURRENT_WINDOWS,
    })
    for (const reason of found.flatMap((each) => each.dropped)) drop(reason)
    return found.flatMap(({ findings }) => findings.map((each): DocumentFound => ({ ...each, document })))
  })

  const extracts: Array<Extract & { readonly id: string; readonly name: string }> = []
  const found: Array<DocumentFound> = []
  let windowsLeft = MAX_WINDOWS
  for (const { id, name } of input.documents.toReversed()) {
    yield* waitUntilIdle(MAX_IDLE_WAIT_MS)
    const { elements, extract } = yield* read(id)
    extracts.unshift({ ...extract, id, name })
    const windows = cutWindows(joinTurns(readTurns(elements), sideOf))
    drop("window", Math.max(windows.length - windowsLeft, 0))
    found.unshift(...(yield* findIn(id, windows.slice(0, windowsLeft))))
    windowsLeft = Math.max(windowsLeft - windows.length, 0)
  }
  const distinct = withoutRepeats(found)
  drop("repeated", found.length - distinct.length)
  const findings = distinct.slice(0, maxFindings)

  const keys = withKeys(findings).map(({ key }) => key)
  const ids = yield* database.scoped<{ id: string }>(org, selectIds(sql, keys))
  const judged = yield* database.scoped<JudgedRow>(org, selectJudged(sql, deal))
  const evidence = collectEvidence(
    findings.map((each, n) => ({ ...each, id: ids[n]!.id })),
    judged,
  )
  const parties = { deal: input.name, client: input.client }
  const { sections, droppedSentences } = yield* writeSections(calls, evidence, parties)
  const scored = yield* scoreDeal(calls, evidence, parties, questions, input.rubrics)
  const answered = yield* answerQuestions(calls, evidence, questions, parties)
  drop("sentence", droppedSentences + scored.droppedSentences + answered.droppedSentences)
  const { scorecard, metrics } = scored
  const { answers } = answered
  const written = { model: calls.name, sections, scorecard, metrics, answers, dropped } satisfies WrittenAnalysis

  const result = {
    deal,
    run,
    method: "model" as const,
    by: calls.name,
    version: PROMPT_VERSION,
    deciding: describeDeciding(calls.name),
    inputs: input.inputs,
    findings,
    conversation: joinConversations(extracts),
    omitted: distinct.length - findings.length,
  }
  yield* database.transaction(
    org,
    Effect.gen(function* () {
      yield* Effect.flatMap(RecordEdits, (edits) => edits.waitForTurn(org))
      yield* publishFindings(sql, org, result)
      yield* publishWritten(sql, org, deal, written, evidence)
      yield* pruneCalls(sql, org, deal, calls.keys)
      yield* queueEvent(sql, org, "deal.analyzed", deal)
    }),
  )
})

/** Removes findings that repeat a target at the same place. */
const withoutRepeats = (found: ReadonlyArray<DocumentFound>) => {
  const seen = new Set<string>()
  return found.filter(({ document, kind, target, start, end }) => {
    const key = JSON.stringify([document, kind, target.id ?? target.name, start, end])
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

interface JudgedRow extends Evidence {
  readonly state: "accepted" | "rejected"
}

/** Collects the evidence for sections and scores: drops rejected findings, applies corrections, and adds earlier accepted ones. */
const collectEvidence = (
  found: ReadonlyArray<DocumentFound & { readonly id: string }>,
  judged: ReadonlyArray<JudgedRow>,
): ReadonlyArray<Evidence> => {
  const judgements = new Map(judged.map((each) => [each.id, each]))
  const now = found.flatMap(({ id, kind, target, effect, side, speaker, quote }): ReadonlyArray<Evidence> => {
    const judgement = judgements.get(id)
    judgements.delete(id)
    if (judgement?.state === "rejected") return []
    if (judgement !== undefined) return [judgement]
    return [{ id, kind, target_id: target.id, target_name: target.name, effect, side, speaker, quote }]
  })
  return [...now, ...[...judgements.values()].filter(({ state }) => state === "accepted")]
}
