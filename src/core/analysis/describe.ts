import * as Effect from "effect/Effect"
import { ViewerLinks } from "../library/viewer/ViewerLinks.ts"
import type { Analysis, Finding } from "./analysis.ts"
import type { Conversation } from "./conversation.ts"
import { findAllConflicts } from "./group/conflicts.ts"
import type { AnalysisRow, FindingRow } from "./sql.ts"

interface Quoted {
  readonly document_id: string
  readonly start: number
  readonly end: number
  /** Absent from what is too long to repeat: its link has offsets alone. */
  readonly quote?: string
}

/** Adds the link that opens a quote. */
const withUrl = <Q extends Quoted>(org: string, quoted: Q, readsDocuments: boolean) =>
  Effect.gen(function* () {
    const links = yield* ViewerLinks
    const { document_id, start, end, quote } = quoted
    const source = quote === undefined ? undefined : { text: quote, start }
    return { ...quoted, url: readsDocuments ? yield* links.url(org, document_id, { start, end, source }) : null }
  })

/** A stored finding as the API shows it. */
export const describeFinding = (
  org: string,
  row: FindingRow,
  readsDocuments: boolean,
): Effect.Effect<Finding, never, ViewerLinks> =>
  withUrl(
    org,
    {
      id: row.id,
      kind: row.kind,
      target: { id: row.target_id, name: row.target_name },
      effect: row.effect,
      claim: row.kind === "driver" ? ("mentioned" as const) : null,
      side: row.side,
      speaker: row.speaker,
      quote: row.quote,
      document_name: row.document_name,
      document_id: row.document_id,
      start: row.start_at,
      end: row.end_at,
      ...(row.start_second !== null && { start_second: row.start_second }),
      state: row.state,
      by: row.method,
      judged_by: row.judged_by,
      judged_at: row.judged_at,
    },
    readsDocuments,
  )

/** Converts a stored analysis to the API's form. */
export const describeAnalysis = Effect.fnUntraced(function* (
  org: string,
  deal: string,
  row: AnalysisRow,
  rows: ReadonlyArray<FindingRow>,
  readsDocuments: boolean,
) {
  const { talk, next_steps }: Conversation = row.conversation ?? { talk: [], next_steps: [] }
  const linkLongest = ({ document_id, longest_monologue: longest }: Conversation["talk"][number]) => {
    if (longest === null) return Effect.succeed(null)
    return Effect.map(withUrl(org, { ...longest, document_id }, readsDocuments), ({ document_id: _, ...rest }) => rest)
  }
  return {
    deal_id: deal,
    state: row.state,
    stale: row.stale,
    method: row.method,
    run_id: row.run_id,
    model: row.written?.model ?? null,
    error: row.state === "ready" ? null : row.failure_reason,
    finished_at: row.finished_at,
    verified_at: row.verified_at,
    findings: yield* Effect.forEach(rows, (each) => describeFinding(org, each, readsDocuments)),
    omitted: row.omitted,
    talk: yield* Effect.forEach(talk, (each) =>
      Effect.map(linkLongest(each), (longest_monologue) => ({ ...each, longest_monologue })),
    ),
    next_steps: yield* Effect.forEach(next_steps, (each) => withUrl(org, each, readsDocuments)),
    sections: row.written?.sections ?? null,
    scorecard: row.written?.scorecard ?? null,
    custom_metrics: row.written === null ? null : (row.written.metrics ?? []),
    custom_answers: row.written === null ? null : (row.written.answers ?? []),
    dropped: (row.written?.dropped ?? {}) as Readonly<Record<string, number>>,
    tokens: { input: row.input_tokens, output: row.output_tokens },
    conflicts: findAllConflicts(row, rows),
  } satisfies Analysis
})
