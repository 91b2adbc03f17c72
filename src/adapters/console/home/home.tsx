import { signal } from "@preact/signals"
import { client } from "../common/api.ts"
import { Trend } from "../charts/trend.tsx"
import * as format from "../common/format.ts"
import { nameOf } from "../common/groups.ts"
import { dealsHref } from "../common/links.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Awaiting } from "./awaiting.tsx"
import { Changes, Questions } from "./lists.tsx"
import { Reasons } from "./reasons.tsx"
import { Figures, loadFigures, PERIOD_CHOICES, type PeriodChoice } from "./figures.tsx"

const period = signal<PeriodChoice>("this_quarter")
const MAX_ROWS = 6

/** Begins to load what the page shows first, before it is known who is signed in. */
export const loadHome = () => loadFigures(period.value)

/** The first page: how sales stand against the period before, why deals are lost and to whom, and what changed. */
export const Home = () => (
  <div class="page">
    <header class="page-head">
      <h1>{t("home.title")}</h1>
      <div class="segments" role="group" aria-label={t("home.period")}>
        {PERIOD_CHOICES.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={period.value === choice}
            onClick={() => (period.value = choice)}
          >
            {t(`period.${choice}`)}
          </button>
        ))}
      </div>
    </header>
    <Figures period={period.value} />
    <div class="grid two-thirds">
      <Trend title={t("home.trend")} />
      <Reasons
        title={t("home.reasons")}
        empty={t("home.noReasons")}
        filters={{ outcome: ["lost"], driver_effect: ["negative"], close_date: { period: period.value } }}
        color="lost"
      />
    </div>
    <div class="grid halves">
      <Rivals />
      <Questions />
    </div>
    <div class="grid two-thirds">
      <Changes />
      <Awaiting />
    </div>
  </div>
)

const Rivals = () => {
  const close_date = { period: period.value }
  const query = useQuery(
    ["rivals", close_date],
    (signal) =>
      client.reports.deals(
        { measures: ["decided", "won", "lost", "win_rate"], group_by: ["competitor"], close_date, limit: MAX_ROWS + 1 },
        { signal },
      ),
    { keepPrevious: true },
  )
  return (
    <section class={query.isPlaceholderData ? "card stale" : "card"}>
      <h2>{t("home.rivals")}</h2>
      <Loaded query={query} lines={6}>
        {({ data }) => {
          const rows = data.filter(
            ({ group, values }) => values["decided"] && nameOf(group["competitor"]) !== t("none"),
          )
          return rows.length === 0 ? (
            <Notice title={t("home.noRivals")} />
          ) : (
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">{t("competitor")}</th>
                  <th scope="col">{t("won")}</th>
                  <th scope="col">{t("lost")}</th>
                  <th scope="col">{t("winRate")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.slice(0, MAX_ROWS).map(({ group, values, filters }) => (
                  <tr key={nameOf(group["competitor"])}>
                    <th scope="row">
                      <a href={dealsHref(filters)}>{nameOf(group["competitor"])}</a>
                    </th>
                    <td>{format.count(values["won"])}</td>
                    <td>{format.count(values["lost"])}</td>
                    <td>
                      <Rate value={values["win_rate"]} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }}
      </Loaded>
    </section>
  )
}

const Rate = ({ value }: { readonly value: number | null | undefined }) => (
  <span class="rate">
    <span class="track">
      <span class="back-won" style={{ width: `${100 * (value ?? 0)}%` }} />
    </span>
    {format.percent(value)}
  </span>
)
