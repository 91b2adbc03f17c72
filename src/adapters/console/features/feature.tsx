import { useRoute } from "preact-iso"
import { Columns } from "../charts/columns.tsx"
import { Bars } from "../charts/rows.tsx"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import * as format from "../common/format.ts"
import { groupOf } from "../common/groups.ts"
import { Icon } from "../common/icons.tsx"
import { dealsHref } from "../common/links.ts"
import { Failure, Loaded, Notice, Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Figure } from "../home/figures.tsx"
import { Quotes } from "./quotes.tsx"

const MAX_ACCOUNTS = 7
const SENTIMENTS = ["positive", "neutral", "negative"] as const

/** One feature: who asks for it, what they are worth, and what they say. */
export const Feature = () => {
  const id = useRoute().params["id"] ?? ""
  const filters = { feature_ids: [id] }
  const query = useQuery(["feature", id], (signal) =>
    client.reports.associations(
      {
        ...filters,
        measures: ["mentions", "positive", "negative", "deals", "clients", "amount_open", "amount_lost"],
        group_by: ["feature"],
      },
      { signal },
    ),
  )
  if (query.isError)
    return (
      <div class="page">
        <Failure error={query.error} retry={() => void query.refetch()} />
        <a href={hrefOf("/features")}>{t("nav.features")}</a>
      </div>
    )
  if (query.data === undefined)
    return (
      <div class="page">
        <Skeleton lines={8} />
      </div>
    )
  const row = query.data.data[0]
  if (row === undefined)
    return (
      <div class="page">
        <Notice title={t("features.none")}>
          <a href={hrefOf("/features")}>{t("nav.features")}</a>
        </Notice>
      </div>
    )
  const { values } = row
  const deals = (outcome: string) => dealsHref({ ...filters, outcome: [outcome] })
  return (
    <article class="page">
      <header class="deal-head">
        <a class="back" href={hrefOf("/features")}>
          <Icon name="left" />
          {t("nav.features")}
        </a>
        <h1>{groupOf(row.group["feature"]).name}</h1>
      </header>
      <div class="figures">
        <Figure
          name={t("market.amountOpen")}
          value={format.shortMoney(values["amount_open"])}
          detail={t("option.open")}
          href={deals("open")}
        />
        <Figure
          name={t("market.amountLost")}
          value={format.shortMoney(values["amount_lost"])}
          detail={t("option.lost")}
          href={deals("lost")}
        />
        <Figure
          name={t("features.accounts")}
          value={format.count(values["clients"])}
          detail={t("features.openOf", { count: format.count(values["deals"]) })}
          href={dealsHref(filters)}
        />
        <Figure
          name={t("features.mentions")}
          value={format.count(values["mentions"])}
          detail={`${format.count(values["positive"])} ${t("features.positive").toLowerCase()}, ${format.count(values["negative"])} ${t("features.negative").toLowerCase()}`}
          href={dealsHref(filters)}
        />
      </div>
      <div class="grid two-thirds">
        <Trend id={id} />
        <Accounts id={id} />
      </div>
      <Quotes key={id} id={id} />
    </article>
  )
}

const COLORS = { positive: "won", neutral: "open", negative: "lost" } as const

const Trend = ({ id }: { readonly id: string }) => {
  const query = useQuery(["feature trend", id], (signal) =>
    client.reports.associations(
      { feature_ids: [id], measures: [...SENTIMENTS], group_by: ["asked_at.quarter"] },
      { signal },
    ),
  )
  return (
    <section class="card">
      <h2>{t("features.byQuarter")}</h2>
      <Loaded query={query} lines={6}>
        {({ data }) => (
          <Columns
            label={t("features.byQuarter")}
            series={SENTIMENTS.map((each) => ({ name: t(`features.${each}`), color: COLORS[each] }))}
            groups={data.map(({ group, values, filters }) => ({
              label: String(group["asked_at.quarter"]),
              values: SENTIMENTS.map((each) => values[each] ?? 0),
              href: dealsHref(filters),
            }))}
          />
        )}
      </Loaded>
    </section>
  )
}

const Accounts = ({ id }: { readonly id: string }) => {
  const query = useQuery(["feature accounts", id], (signal) =>
    client.reports.associations(
      { feature_ids: [id], measures: ["amount", "deals"], group_by: ["client"], limit: MAX_ACCOUNTS },
      { signal },
    ),
  )
  return (
    <section class="card">
      <h2>{t("features.byAccount")}</h2>
      <Loaded query={query} lines={6}>
        {({ data, other }) => (
          <>
            <Bars
              color="accent"
              rows={data.map(({ group, values, filters }) => {
                const { id, name } = groupOf(group["client"])
                return {
                  id: id ?? "",
                  name: name ?? t("features.noAccount"),
                  value: values["amount"] ?? 0,
                  text: `${format.shortMoney(values["amount"])} · ${t("home.deals", { count: format.count(values["deals"]) })}`,
                  href: dealsHref(filters),
                }
              })}
            />
            {other !== null && (
              <p class="soft small">{t("features.moreAccounts", { count: format.count(other.groups) })}</p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
