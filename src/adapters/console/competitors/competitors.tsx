import { signal } from "@preact/signals"
import type { Output } from "../../client/client.ts"
import { client } from "../common/api.ts"
import { type ReportColumn, ReportTable, type ReportTableRow } from "../charts/reportTable.tsx"
import * as format from "../common/format.ts"
import { groupOf, nameOf } from "../common/groups.ts"
import { competitorHref, dealsHref } from "../common/links.ts"
import { Search } from "../common/search.tsx"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { PERIOD_CHOICES } from "../home/figures.tsx"

const MEASURES = ["deals", "won", "lost", "win_rate", "amount_won", "amount_lost", "amount_open"] as const
type Measure = (typeof MEASURES)[number]
type CompetitorRow = Exclude<Output<"reports", "deals">, string>["data"][number]

const PERIODS = ["all", ...PERIOD_CHOICES] as const
/** The most that a report returns. */
const MAX_ROWS = 1_000

const period = signal<(typeof PERIODS)[number]>("all")
const order = signal<Measure>("deals")
const searched = signal("")

/** Every competitor with its record against us. */
export const Competitors = () => {
  const close_date = period.value === "all" ? {} : { close_date: { period: period.value } }
  const query = useQuery(
    ["competitors' record", close_date, order.value],
    (signal) =>
      client.reports.deals(
        {
          ...close_date,
          measures: [...MEASURES],
          group_by: ["competitor"],
          order_by: `-${order.value}`,
          limit: MAX_ROWS,
        },
        { signal },
      ),
    { keepPrevious: true },
  )
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.competitors")}</h1>
        <div class="actions">
          <Search label={t("market.search")} value={searched.value} onSearch={(text) => (searched.value = text)} />
          <div class="segments" role="group" aria-label={t("home.period")}>
            {PERIODS.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={period.value === each}
                onClick={() => (period.value = each)}
              >
                {t(`period.${each}`)}
              </button>
            ))}
          </div>
        </div>
      </header>
      <section class={query.isPlaceholderData ? "card stale" : "card"}>
        <Loaded query={query} lines={8}>
          {({ data }) => <Records rows={data.filter(({ group }) => groupOf(group["competitor"]).id !== null)} />}
        </Loaded>
      </section>
    </div>
  )
}

const columns = (): ReadonlyArray<ReportColumn<Measure>> => [
  { measure: "deals", label: t("market.deals") },
  { measure: "won", label: t("won") },
  { measure: "lost", label: t("lost") },
  { measure: "win_rate", label: t("winRate") },
  { measure: "amount_won", label: t("market.amountWon") },
  { measure: "amount_lost", label: t("market.amountLost") },
  { measure: "amount_open", label: t("market.amountOpen") },
]

const Records = ({ rows }: { readonly rows: ReadonlyArray<CompetitorRow> }) => {
  if (rows.length === 0)
    return (
      <Notice title={t("competitors.none")}>
        <p>{t("competitors.noneHint")}</p>
      </Notice>
    )
  const text = searched.value.toLowerCase()
  const found = rows.filter(({ group }) => nameOf(group["competitor"]).toLowerCase().includes(text))
  if (found.length === 0) return <Notice title={t("market.noName")} />
  return (
    <ReportTable
      label={t("competitor")}
      columns={columns()}
      rows={found.map(makeRow)}
      order={order.value}
      onOrder={(measure) => (order.value = measure)}
    />
  )
}

const makeRow = ({ group, values, intervals, filters }: CompetitorRow): ReportTableRow => {
  const { id, name } = groupOf(group["competitor"])
  const deals = (outcomes: ReadonlyArray<string>) => dealsHref({ ...filters, outcome: outcomes })
  const sure = intervals?.["win_rate"]
  return {
    id: id ?? "",
    name: name ?? t("none"),
    href: competitorHref(id ?? ""),
    figures: [
      { text: format.count(values["deals"]), href: dealsHref(filters) },
      { text: format.count(values["won"]), href: deals(["won"]) },
      { text: format.count(values["lost"]), href: deals(["lost"]) },
      {
        text: format.percent(values["win_rate"]),
        part: values["win_rate"] ?? null,
        href: deals(["won", "lost"]),
        ...(sure !== undefined && { title: `95 %: ${format.percent(sure.low)} – ${format.percent(sure.high)}` }),
      },
      { text: format.shortMoney(values["amount_won"]), href: deals(["won"]) },
      { text: format.shortMoney(values["amount_lost"]), href: deals(["lost"]) },
      { text: format.shortMoney(values["amount_open"]), href: deals(["open"]) },
    ],
  }
}
