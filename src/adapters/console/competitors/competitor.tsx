import { useEffect } from "preact/hooks"
import { useRoute } from "preact-iso"
import { Trend } from "../charts/trend.tsx"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { dealsHref } from "../common/links.ts"
import { Failure, Loaded, Notice, Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { type Competitor as Entry, useCompetitors } from "../common/useCompetitors.ts"
import { useQuery } from "../common/useQuery.ts"
import { ViewerPanel } from "../common/viewerPanel.tsx"
import { Figure } from "../home/figures.tsx"
import { Reasons } from "../home/reasons.tsx"
import { Documents } from "./documents.tsx"
import { Mentions } from "./mentions.tsx"
import { Said } from "./said.tsx"
import { source } from "./source.ts"

/** One competitor: its record against us, why, and what documents say of it. */
export const Competitor = () => {
  const id = useRoute().params["id"] ?? ""
  const { competitors, query } = useCompetitors()
  const found = competitors.find((each) => each.id === id)
  useEffect(() => () => void (source.value = undefined), [id])
  if (found !== undefined) return <Whole competitor={found} />
  return (
    <div class="page">
      {query.isError ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : query.isLoading ? (
        <Skeleton lines={8} />
      ) : (
        <Notice title={t("state.missing")}>
          <a href={hrefOf("/competitors")}>{t("nav.competitors")}</a>
        </Notice>
      )}
    </div>
  )
}

const Whole = ({ competitor }: { readonly competitor: Entry }) => {
  const { id, name } = competitor
  const filters = { competitors: [id] }
  return (
    <div class={source.value === undefined ? "beside" : "beside with-source"}>
      <div class="scroll">
        <article class="page">
          <header class="deal-head">
            <a class="back" href={hrefOf("/competitors")}>
              <Icon name="left" />
              {t("nav.competitors")}
            </a>
            <h1>{name}</h1>
            {competitor.aliases.length > 0 && <p class="soft">{competitor.aliases.join(" · ")}</p>}
          </header>
          <Record id={id} />
          <div class="grid two-thirds natural">
            <Trend title={t("competitors.record", { name })} filters={filters} />
            <Said id={id} name={name} />
          </div>
          <div class="grid halves">
            <Reasons
              title={t("competitors.losses")}
              empty={t("competitors.noReasons")}
              filters={{ ...filters, outcome: ["lost"], driver_effect: ["negative"] }}
              color="lost"
            />
            <Reasons
              title={t("competitors.wins")}
              empty={t("competitors.noReasons")}
              filters={{ ...filters, outcome: ["won"], driver_effect: ["positive"] }}
              color="won"
            />
          </div>
          <div class="grid halves natural">
            <Documents id={id} />
            <Mentions id={id} />
          </div>
        </article>
      </div>
      {source.value !== undefined && (
        <ViewerPanel
          url={source.value.url}
          name={source.value.name}
          label={t("findings.evidence", { name: source.value.name })}
          onClose={() => (source.value = undefined)}
        />
      )}
    </div>
  )
}

const Record = ({ id }: { readonly id: string }) => {
  const filters = { competitors: [id] }
  const query = useQuery(["record", id], (signal) =>
    client.reports.deals(
      {
        ...filters,
        measures: ["deals", "won", "lost", "open", "win_rate", "amount", "amount_lost", "amount_open"],
      },
      { signal },
    ),
  )
  const deals = (outcomes: ReadonlyArray<string>) => dealsHref({ ...filters, outcome: outcomes })
  return (
    <div class="figures">
      <Loaded query={query} lines={3}>
        {({ totals: { values } }) => (
          <>
            <Figure
              name={t("competitors.met")}
              value={format.count(values["deals"])}
              detail={format.shortMoney(values["amount"])}
              href={dealsHref(filters)}
            />
            <Figure
              name={t("winRate")}
              value={format.percent(values["win_rate"])}
              detail={t("home.ofDecided", { count: format.count((values["won"] ?? 0) + (values["lost"] ?? 0)) })}
              href={deals(["won", "lost"])}
            />
            <Figure
              name={t("competitors.lost")}
              value={format.shortMoney(values["amount_lost"])}
              detail={t("home.deals", { count: format.count(values["lost"]) })}
              href={deals(["lost"])}
            />
            <Figure
              name={t("home.pipeline")}
              value={format.shortMoney(values["amount_open"])}
              detail={t("home.deals", { count: format.count(values["open"]) })}
              href={deals(["open"])}
            />
          </>
        )}
      </Loaded>
    </div>
  )
}
