import type { AnalysisRow, ContradictedRow, FindingRow, Recorded } from "../sql.ts"
import type { CarriedSentence } from "../written.ts"

/** A part of a deal that the buyer's words contradict. */
export interface Contradiction {
  readonly field: "drivers" | "features"
  readonly target: { readonly id: string; readonly name: string }
  readonly recorded: "positive" | "negative"
  readonly findings: ReadonlyArray<string>
}

/** Recorded reasons and features about which the buyer says only the opposite. A rejected finding contradicts nothing. */
const findConflicts = (
  { drivers, features }: { readonly drivers: ReadonlyArray<Recorded>; readonly features: ReadonlyArray<Recorded> },
  findings: ContradictedRow["findings"],
): ReadonlyArray<Contradiction> => {
  const contradict = (field: Contradiction["field"], kind: FindingRow["kind"], { id, name, positive }: Recorded) => {
    const said = findings.filter(
      (each) => each.kind === kind && each.target_id === id && each.side === "buyer" && each.state !== "rejected",
    )
    const recorded = positive ? "positive" : "negative"
    const opposite = said.filter(({ effect }) => effect === (positive ? "negative" : "positive"))
    const agrees = said.some(({ effect }) => effect === recorded)
    return opposite.length === 0 || agrees
      ? []
      : [{ field, target: { id, name }, recorded, findings: opposite.map((each) => each.id) } as const]
  }
  return [
    ...drivers.flatMap((each) => contradict("drivers", "driver", each)),
    ...features.flatMap((each) => contradict("features", "feature", each)),
  ]
}

/** Scores of a person and of the analysis that differ by so much contradict each other. */
const MIN_DIFFERENCE = 2

const listFindings = (sentences: ReadonlyArray<CarriedSentence>) => [
  ...new Set(sentences.flatMap(({ findings }) => findings)),
]

/** Recorded scores that the analysis does not share. Its own stand in the columns, so these are a person's. */
const findScoreConflicts = ({
  written,
  scores,
  custom_metrics,
}: Pick<AnalysisRow, "written" | "scores" | "custom_metrics">) => {
  const standard = (written?.scorecard ?? []).map(({ metric, ...proposal }) => ({
    ...proposal,
    field: "scorecard" as const,
    target: { id: metric, name: metric.replaceAll("_", " ") },
    recorded: scores[metric] ?? null,
  }))
  const custom = (written?.metrics ?? []).map(({ id, name, ...proposal }) => ({
    ...proposal,
    field: "custom_metrics" as const,
    target: { id, name },
    recorded: custom_metrics[id]?.score ?? null,
  }))
  return [...standard, ...custom].flatMap(({ field, target, recorded, score, sentences }) =>
    recorded === null || score === null || Math.abs(recorded - score) < MIN_DIFFERENCE
      ? []
      : [{ field, target, recorded, proposed: score, findings: listFindings(sentences) } as const],
  )
}

/** Recorded answers whose choice is another than that of the analysis. Answers in free words are not compared. */
const findAnswerConflicts = ({ written, custom_answers }: Pick<AnalysisRow, "written" | "custom_answers">) =>
  (written?.answers ?? []).flatMap(({ id, name, text, value, sentences }) => {
    const recorded = custom_answers[id]
    if (recorded === undefined || text === null || value === null) return []
    if (new RegExp(`^${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, "iu").test(recorded.trim())) return []
    const target = { id, name }
    return [{ field: "custom_answers", target, recorded, proposed: text, findings: listFindings(sentences) } as const]
  })

/** Every contradiction of a deal. */
export const findAllConflicts = (
  row: Omit<ContradictedRow, "findings" | "deal_id">,
  findings: ContradictedRow["findings"],
) => [...findConflicts(row, findings), ...findScoreConflicts(row), ...findAnswerConflicts(row)]
