import { useSignal } from "@preact/signals"
import * as format from "../common/format.ts"
import { t } from "../common/texts.ts"
import { useDocuments } from "../library/documents.ts"
import type { Finding } from "./analysis.ts"
import { SHOWN } from "./documents.tsx"
import { type Group, groupFindings } from "./groupFindings.ts"
import { Sources } from "./quotes.tsx"

/** Groups that show before the reader asks for all. */
const MAX_GROUPS = 8
const MAX_SOURCES = 12

/** The findings together: target, effect and side of each group, in how many documents it is, and when. */
export const Groups = ({ deal, findings }: { readonly deal: string; readonly findings: ReadonlyArray<Finding> }) => {
  const showsAll = useSignal(false)
  const documents = useDocuments({ deal_id: deal }, SHOWN)
  const times = new Map(documents.data?.data.map(({ id, created_at }) => [id, created_at] as const))
  const groups = groupFindings(findings, times)
  // With one finding each, the list below says the same.
  if (groups.every((group) => group.findings.length === 1)) return null
  return (
    <section class="groups" aria-label={t("groups.title")}>
      <h3>{t("groups.title")}</h3>
      <ul class="rows">
        {groups.slice(0, showsAll.value ? groups.length : MAX_GROUPS).map((group) => (
          <GroupRow key={group.key} group={group} />
        ))}
      </ul>
      {groups.length > MAX_GROUPS && !showsAll.value && (
        <button type="button" onClick={() => (showsAll.value = true)}>
          {t("groups.all", { count: format.count(groups.length) })}
        </button>
      )}
    </section>
  )
}

const GroupRow = ({
  group: { kind, name, effect, side, findings, documents, first, last },
}: {
  readonly group: Group
}) => (
  <li class="row">
    <span class={`sign ${effect === "positive" ? "good" : effect === "negative" ? "bad" : "even"}`} aria-hidden="true">
      {effect === "positive" ? "+" : effect === "negative" ? "−" : "•"}
    </span>
    <span class="grow">
      <strong>
        {name}
        <span class="tag">{t(`finding.${kind}`)}</span>
      </strong>
      <span class="soft whole">
        {[
          effect === null ? t("findings.noEffect") : t(`effect.${effect}`),
          t(`side.${side}`),
          t(documents === 1 ? "groups.inOne" : "groups.in", {
            count: format.count(findings.length),
            documents: format.count(documents),
          }),
          ...(first === undefined || last === undefined ? [] : [writeSpan(format.day(first), format.day(last))]),
        ].join(" · ")}
      </span>
    </span>
    <span class="group-sources">
      <Sources findings={findings.slice(0, MAX_SOURCES)} />
    </span>
  </li>
)

const writeSpan = (first: string, last: string) => (first === last ? first : `${first} – ${last}`)
