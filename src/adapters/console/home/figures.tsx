import { client, queries } from "../common/api.ts"
import * as format from "../common/format.ts"
import { dealsHref } from "../common/links.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"

export const PERIOD_CHOICES = ["this_quarter", "last_quarter", "year_to_date", "last_12_months"] as const
export type PeriodChoice = (typeof PERIOD_CHOICES)[number]

const decidedIn = (period: PeriodChoice) =>
  [
    ["figures", period],
    (signal: AbortSignal) =>
      client.reports.deals(
        {
          measures: ["won", "lost", "amount_won", "amount_lost", "win_rate"],
          close_date: { period },
          compare: "previous_period",
        },
        { signal },
      ),
  ] as const

const PIPELINE = [
  ["pipeline"],
  (signal: AbortSignal) =>
    client.reports.deals({ measures: ["open", "amount_open", "overdue", "amount_overdue"] }, { signal }),
] as const

export const loadFigures = (period: PeriodChoice) => {
  for (const [queryKey, load] of [decidedIn(period), PIPELINE])
    void queries.prefetchQuery({ queryKey, queryFn: ({ signal }) => load(signal) })
}

/** Wins, losses, win rate and pipeline, each against the period before. */
export const Figures = ({ period }: { readonly period: PeriodChoice }) => {
  const decided = useQuery(...decidedIn(period), { keepPrevious: true })
  const open = useQuery(...PIPELINE)
  return (
    <div class={decided.isPlaceholderData ? "figures stale" : "figures"}>
      <Loaded query={decided} lines={3}>
        {({ totals: { values, previous, filters } }) => (
          <>
            <Figure
              name={t("home.won")}
              value={format.shortMoney(values["amount_won"])}
              detail={t("home.deals", { count: format.count(values["won"]) })}
              change={compare(values, previous, "amount_won", format.shortMoney)}
              href={dealsHref({ ...filters, outcome: ["won"] })}
            />
            <Figure
              name={t("home.lost")}
              value={format.shortMoney(values["amount_lost"])}
              detail={t("home.deals", { count: format.count(values["lost"]) })}
              change={compare(values, previous, "amount_lost", format.shortMoney, true)}
              href={dealsHref({ ...filters, outcome: ["lost"] })}
            />
            <Figure
              name={t("winRate")}
              value={format.percent(values["win_rate"])}
              detail={t("home.ofDecided", { count: format.count((values["won"] ?? 0) + (values["lost"] ?? 0)) })}
              change={compare(values, previous, "win_rate", points)}
              href={dealsHref({ ...filters, outcome: ["won", "lost"] })}
            />
          </>
        )}
      </Loaded>
      <Loaded query={open} lines={3}>
        {({ totals: { values } }) => (
          <Figure
            name={t("home.pipeline")}
            value={format.shortMoney(values["amount_open"])}
            detail={t("home.openDeals", {
              count: format.count(values["open"]),
              overdue: format.count(values["overdue"]),
            })}
            href={dealsHref({ outcome: ["open"] })}
          />
        )}
      </Loaded>
    </div>
  )
}

type Values = Readonly<Record<string, number | null>>

interface Change {
  readonly text: string
  readonly tone: "good" | "bad" | "even"
}

const points = (value: number) => t("home.points", { value: format.decimal(value * 100) })

const compare = (
  values: Values,
  previous: Values | undefined,
  measure: string,
  show: (value: number) => string,
  isFewerBetter = false,
): Change | undefined => {
  const [now, before] = [values[measure], previous?.[measure]]
  if (now == null || before == null) return undefined
  const change = now - before
  const tone = change === 0 ? "even" : change > 0 !== isFewerBetter ? "good" : "bad"
  return { text: format.signed(change, show), tone }
}

export const Figure = ({
  name,
  value,
  detail,
  change,
  href,
}: {
  readonly name: string
  readonly value: string
  readonly detail: string
  readonly change?: Change | undefined
  readonly href: string
}) => (
  <a class="figure card" href={href}>
    <span class="figure-name">{name}</span>
    <strong>{value}</strong>
    <span class="soft">{detail}</span>
    {change !== undefined && (
      <span class={`change ${change.tone}`}>
        {change.text} <span class="soft">{t("home.againstBefore")}</span>
      </span>
    )}
  </a>
)
