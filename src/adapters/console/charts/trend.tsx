import type { Filters } from "../../client/client.ts"
import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { dealsHref } from "../common/links.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Columns } from "./columns.tsx"

/** Two fiscal years of columns. */
const TREND_MONTHS = 24

/** Won and lost deals by quarter, of those that the filters select. */
export const Trend = ({ title, filters = {} }: { readonly title: string; readonly filters?: Filters }) => {
  const to = format.today()
  const from = new Date(to)
  from.setUTCMonth(from.getUTCMonth() - TREND_MONTHS)
  const close_date = { from: from.toISOString().slice(0, 10), to }
  const query = useQuery(["trend", close_date, filters], (signal) =>
    client.reports.deals(
      { ...filters, measures: ["won", "lost", "win_rate"], group_by: ["close_date.quarter"], close_date },
      { signal },
    ),
  )
  return (
    <section class="card">
      <h2>{title}</h2>
      <Loaded query={query} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <Notice title={t("home.noDecided")} />
          ) : (
            <Columns
              label={title}
              series={[
                { name: t("won"), color: "won" },
                { name: t("lost"), color: "lost" },
              ]}
              groups={data.map(({ group, labels, values, filters }) => ({
                label: labels?.["close_date.quarter"] ?? String(group["close_date.quarter"]),
                values: [values["won"] ?? 0, values["lost"] ?? 0],
                href: dealsHref(filters),
                note: `${t("winRate")} ${format.percent(values["win_rate"])}`,
              }))}
            />
          )
        }
      </Loaded>
    </section>
  )
}
