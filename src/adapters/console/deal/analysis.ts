import { signal } from "@preact/signals"
import type { Input, Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { useQuery } from "../common/useQuery.ts"

export type Analysis = Output<"analysis", "get">
export type Finding = Analysis["findings"][number]

/** The quote that is open beside the page. */
export const evidence = signal<Finding | undefined>(undefined)

export const openEvidence = (finding: Finding) => {
  if (finding.url !== null) evidence.value = finding
}

const keyOf = (deal: string) => ["analysis", deal] as const

export const useAnalysis = (deal: string) =>
  useQuery(keyOf(deal), (signal) => client.analysis.get({ id: deal }, { signal }))

/** Shows what a request changed. A load that began before it would bring the old state back, so a new one replaces it. */
const show = (deal: string, change: (before: Analysis) => Analysis) => {
  queries.setQueryData<Analysis>(keyOf(deal), (before) => before && change(before))
  void queries.invalidateQueries({ queryKey: keyOf(deal) })
}

/** Records a judgement. The deal and the queue change with it, so they load again. */
export const judge = async (deal: string, finding: string, judgement: Judgement): Promise<void> => {
  const judged = await client.analysis.judge({ id: deal, finding_id: finding, ...judgement })
  show(deal, (before) => ({
    ...before,
    findings: before.findings.map((each) => (each.id === finding ? judged : each)),
  }))
  void queries.invalidateQueries({ queryKey: ["deal", deal] })
  void queries.invalidateQueries({ queryKey: ["queue"] })
}
export type Judgement = Omit<Input<"analysis", "judge">, "id" | "finding_id">

export const verify = async (deal: string): Promise<void> => {
  const verified = await client.analysis.verify({ id: deal })
  show(deal, () => verified)
  void queries.invalidateQueries({ queryKey: ["deal", deal] })
}

/** Waits for a run, and shows its result. A page that was reloaded waits again. */
export const follow = async (deal: string, run: string, signal?: AbortSignal): Promise<void> => {
  try {
    await client.waitForRun(run, { signal })
  } finally {
    await queries.invalidateQueries({ queryKey: keyOf(deal) })
    void queries.invalidateQueries({ queryKey: ["deal", deal] })
    void queries.invalidateQueries({ queryKey: ["queue"] })
  }
}

export const run = async (deal: string): Promise<void> => {
  const { run_id } = await client.analysis.run({ id: deal })
  show(deal, (before) => ({ ...before, state: "queued", run_id, error: null }))
}
