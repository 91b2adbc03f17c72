import type { Output } from "../../client/client.ts"
import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { dealHref } from "../common/links.ts"
import { current } from "../common/session.ts"
import { t, textOr } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"

export type Summary = Output<"workspace", "getImport">
type Undone_ = NonNullable<Summary["undone"]>
type Kept = Undone_["kept"][number]

/** The server lists up to a thousand; a person reads these. */
const MAX_SHOWN = 50

/** The end of an undo: its counts, and the records that it left. */
export const Undone = ({ undone }: { readonly undone: Undone_ }) => {
  const { kept, kept_count } = undone
  const counts = [
    ...(undone.removed > 0 ? [t("undo.removed", { count: format.count(undone.removed) })] : []),
    ...(undone.restored > 0 ? [t("undo.restored", { count: format.count(undone.restored) })] : []),
    ...(undone.recreated > 0 ? [t("undo.recreated", { count: format.count(undone.recreated) })] : []),
    ...(kept_count > 0 ? [t("undo.kept", { count: format.count(kept_count) })] : []),
  ]
  return (
    <div role="status">
      <p>
        <strong>{t("undo.done")}</strong> {counts.length === 0 ? t("undo.nothing") : counts.join(", ")}
      </p>
      {kept.length > 0 && (
        <>
          <h3>{t("undo.keptTitle")}</h3>
          <ul class="small">
            {kept.slice(0, MAX_SHOWN).map((each) => (
              <li key={`${each.type} ${each.id} ${each.reason}`}>
                {textOr(`thing.${each.type}`, each.type)} <Name kept={each} />:{" "}
                <span class="soft">{t(`undo.reason.${each.reason}`)}</span>
              </li>
            ))}
            {kept_count > MAX_SHOWN && (
              <li class="soft">{t("undo.moreKept", { count: format.count(kept_count - MAX_SHOWN) })}</li>
            )}
          </ul>
        </>
      )}
    </div>
  )
}

/** Names that the page has; a deal's is loaded. */
const Name = ({ kept: { type, id, reason } }: { readonly kept: Kept }) =>
  type === "deal" && reason !== "deleted_later" ? <DealName id={id} /> : <>{findName(type, id)}</>

const DealName = ({ id }: { readonly id: string }) => {
  const { data } = useQuery(["deal", id, "name"], (signal) => client.deals.get({ id, columns: ["name"] }, { signal }))
  return <a href={dealHref(id)}>{(data?.name as string | undefined) ?? id}</a>
}

const KINDS = {
  stage: "stages",
  owner: "owners",
  competitor: "competitors",
  feature: "features",
  reason: "reasons",
  metric: "metrics",
  answer: "answers",
  segment: "segments",
} as const

const findName = (type: string, id: string): string => {
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type as keyof typeof KINDS] : undefined
  const names = kind === undefined ? [] : current().workspace[kind].data
  return names.find((each) => each.id === id)?.name ?? id
}
