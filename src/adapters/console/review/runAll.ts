import { signal } from "@preact/signals"
import type { Filters } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"

type Progress = { readonly state: "idle" | "running" } | { readonly state: "failed"; readonly reason: string }

/** The analysis of many deals that this tab started. It goes on while the reader visits other pages. */
export const analyzing = signal<Progress>({ state: "idle" })

const KEPT = "sightline.analysis"

const watch = async (id: string) => {
  analyzing.value = { state: "running" }
  try {
    await client.waitForRun(id)
    analyzing.value = { state: "idle" }
  } catch (error) {
    analyzing.value = { state: "failed", reason: (error as Error).message }
  }
  sessionStorage.removeItem(KEPT)
  // Deals, reports and the queue show what it found.
  await queries.invalidateQueries()
}

/** Waits again for the run that the page before a reload started. */
export const watchAll = () => {
  const kept = sessionStorage.getItem(KEPT)
  if (kept !== null && analyzing.peek().state === "idle") void watch(kept)
}

/** Analyzes the deals that match; by default, all. */
export const runAll = async (filters: Filters = {}) => {
  try {
    const { run_id } = await client.analysis.runMany({ filters })
    sessionStorage.setItem(KEPT, run_id)
    await watch(run_id)
  } catch (error) {
    analyzing.value = { state: "failed", reason: (error as Error).message }
  }
}
