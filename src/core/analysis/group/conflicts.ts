import type { AnalysisRow, FindingRow, Recorded } from "../sql.ts"

/** A part of a deal that the buyer's words contradict. */
export interface Contradiction {
  readonly field: "drivers" | "features"
  readonly target: { readonly id: string; readonly name: string }
  readonly recorded: "positive" | "negative"
  readonly findings: ReadonlyArray<string>
}

/** Recorded reasons and features about which the buyer says only the opposite. A rejected finding contradicts nothing. */
export const conflictsOf = (
  { drivers, features }: { readonly drivers: ReadonlyArray<Recorded>; readonly features: ReadonlyArray<Recorded> },
  findings: ReadonlyArray<FindingRow>,
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

/** Recorded scores that the analysis does not share. Its own stand in the columns, so these are a person's. */
export const scoreConflictsOf = ({ written, scores }: Pick<AnalysisRow, "written" | "scores">) =>
  (written?.scorecard ?? []).flatMap(({ metric, score, sentences }) => {
    const recorded = scores[metric] ?? null
    if (recorded === null || score === null || Math.abs(recorded - score) < MIN_DIFFERENCE) return []
    const target = { id: metric, name: metric.replaceAll("_", " ") }
    const findings = [...new Set(sentences.flatMap((each) => each.findings))]
    return [{ field: "scorecard", target, recorded, proposed: score, findings } as const]
  })
