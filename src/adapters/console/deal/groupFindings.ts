import type { Finding } from "./analysis.ts"

/** The findings that say the same: of one target, with one effect, from one side. */
export interface Group {
  readonly key: string
  readonly kind: Finding["kind"]
  readonly name: string
  readonly effect: Finding["effect"]
  readonly side: Finding["side"]
  readonly findings: ReadonlyArray<Finding>
  /** Distinct documents. */
  readonly documents: number
  /** When the first and the last of these documents came, if the page knows. */
  readonly first: string | undefined
  readonly last: string | undefined
}

/** Groups findings that nobody rejected. Those that most documents say come first. */
export const groupFindings = (
  findings: ReadonlyArray<Finding>,
  /** When each document came, by its id. */
  times: ReadonlyMap<string, string>,
): ReadonlyArray<Group> => {
  const groups = Map.groupBy(
    findings.filter(({ state }) => state !== "rejected"),
    ({ kind, target, effect, side }) => JSON.stringify([kind, target.id ?? target.name, effect, side]),
  )
  return [...groups]
    .map(([key, found]) => {
      const [{ kind, target, effect, side }] = found as [Finding]
      const documents = new Set(found.map(({ document_id }) => document_id))
      const days = [...documents].flatMap((id) => times.get(id) ?? []).toSorted()
      return {
        key,
        kind,
        name: target.name,
        effect,
        side,
        findings: found,
        documents: documents.size,
        first: days[0],
        last: days.at(-1),
      }
    })
    .toSorted((one, other) => other.documents - one.documents || other.findings.length - one.findings.length)
}
