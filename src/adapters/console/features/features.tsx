import { signal } from "@preact/signals"
import type { Output } from "../../client/client.ts"
import { type ReportColumn, ReportTable, type ReportTableRow } from "../charts/reportTable.tsx"
import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { groupOf, nameOf } from "../common/groups.ts"
import { dealsHref, featureHref } from "../common/links.ts"
import { Search } from "../common/search.tsx"
import { current } from "../common/session.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"

const MEASURES = ["amount_open", "amount_lost", "amount_won", "clients", "mentions", "deals"] as const
type Measure = (typeof MEASURES)[number]
type FeatureRow = Exclude<Output<"reports", "associations">, string>["data"][number]

const SENTIMENTS = ["any", "positive", "negative", "neutral"] as const
/** The most that a report returns. */
const MAX_ROWS = 1_000

const sentiment = signal<(typeof SENTIMENTS)[number]>("any")
const order = signal<Measure>("amount_open")
const searched = signal("")

/** The features that deals ask for, by the revenue and the accounts behind them. */
export const Features = () => {
  const filters = sentiment.value === "any" ? {} : { sentiment: sentiment.value }
  const query = useQuery(
    ["features", filters, order.value],
    (signal) =>
      client.reports.associations(
        { ...filters, measures: [...MEASURES], group_by: ["feature"], order_by: `-${order.value}`, limit: MAX_ROWS },
        { signal },
      ),
    { keepPrevious: true },
  )
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.features")}</h1>
        <div class="actions">
          <Search label={t("market.search")} value={searched.value} onSearch={(text) => (searched.value = text)} />
          <div class="segments" role="group" aria-label={t("features.sentiment")}>
            {SENTIMENTS.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={sentiment.value === each}
                onClick={() => (sentiment.value = each)}
              >
                {t(`features.${each}`)}
              </button>
            ))}
          </div>
        </div>
      </header>
      <section class={query.isPlaceholderData ? "card stale" : "card"}>
        <Loaded query={query} lines={8}>
          {({ data }) => <Requests rows={data} />}
        </Loaded>
      </section>
    </div>
  )
}

const columns = (): ReadonlyArray<ReportColumn<Measure>> => [
  { measure: "amount_open", label: t("market.amountOpen") },
  { measure: "amount_lost", label: t("market.amountLost") },
  { measure: "amount_won", label: t("market.amountWon") },
  { measure: "clients", label: t("features.accounts") },
  { measure: "mentions", label: t("features.mentions") },
]

const Requests = ({ rows }: { readonly rows: ReadonlyArray<FeatureRow> }) => {
  if (rows.length === 0)
    return (
      <Notice title={t("features.none")}>
        <p>{t("features.noneHint")}</p>
      </Notice>
    )
  const text = searched.value.toLowerCase()
  const found = rows.filter(({ group }) => nameOf(group["feature"]).toLowerCase().includes(text))
  if (found.length === 0) return <Notice title={t("market.noName")} />
  return (
    <ReportTable
      label={t("finding.feature")}
      columns={columns()}
      rows={found.map(makeRow)}
      order={order.value}
      onOrder={(measure) => (order.value = measure)}
    />
  )
}

const makeRow = ({ group, values, filters }: FeatureRow): ReportTableRow => {
  const { id, name } = groupOf(group["feature"])
  const known = current().workspace.features.data.find((each) => each.id === id)
  const note = [known?.product, known?.product_area].filter((part) => part != null && part !== "").join(" · ")
  const money = (measure: Measure, outcome: string) => ({
    text: format.shortMoney(values[measure]),
    href: dealsHref({ ...filters, outcome: [outcome] }),
  })
  return {
    id: id ?? "",
    name: name ?? t("none"),
    ...(note !== "" && { note }),
    href: featureHref(id ?? ""),
    figures: [
      money("amount_open", "open"),
      money("amount_lost", "lost"),
      money("amount_won", "won"),
      { text: format.count(values["clients"]), href: dealsHref(filters) },
      {
        text: format.count(values["mentions"]),
        href: dealsHref(filters),
        title: t("features.openOf", { count: format.count(values["deals"]) }),
      },
    ],
  }
}
