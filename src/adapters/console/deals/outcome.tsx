import { current } from "../common/session.ts"
import { NONE } from "../common/format.ts"

/** The stage of a deal, in the color of its outcome. */
export const Outcome = ({ stageId, name }: { readonly stageId: string | null; readonly name: string | null }) => {
  const stage = current().workspace.stages.data.find(({ id }) => id === stageId)
  return <span class={`badge ${stage?.category ?? "unknown"}`}>{name ?? NONE}</span>
}
