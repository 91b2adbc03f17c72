import type { Filters } from "../../client/client.ts"
import { Bars } from "../charts/rows.tsx"
import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { nameOf } from "../common/groups.ts"
import { dealsHref } from "../common/links.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { useQuery } from "../common/useQuery.ts"

const MAX_ROWS = 6

/** The most common drivers of the deals that the filters select. */
export const Reasons = ({
  title,
  empty,
  filters,
  color,
}: {
  readonly title: string
  readonly empty: string
  readonly filters: Filters
  readonly color: "won" | "lost"
}) => {
  const query = useQuery(
    ["reasons", filters],
    (signal) =>
      client.reports.deals(
        { ...filters, measures: ["deals", "amount"], group_by: ["driver"], limit: MAX_ROWS },
        { signal },
      ),
    { keepPrevious: true },
  )
  return (
    <section class={query.isPlaceholderData ? "card stale" : "card"}>
      <h2>{title}</h2>
      <Loaded query={query} lines={6}>
        {({ data }) => {
          const rows = data.filter(({ values }) => (values["deals"] ?? 0) > 0)
          return rows.length === 0 ? (
            <Notice title={empty} />
          ) : (
            <Bars
              color={color}
              rows={rows.map(({ group, values, filters }) => ({
                id: nameOf(group["driver"]),
                name: nameOf(group["driver"]),
                value: values["deals"] ?? 0,
                text: `${format.count(values["deals"])} · ${format.shortMoney(values["amount"])}`,
                href: dealsHref(filters),
              }))}
            />
          )
        }}
      </Loaded>
    </section>
  )
}
