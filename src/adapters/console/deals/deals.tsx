import { useEffect, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import * as format from "../common/format.ts"
import { Search } from "../common/search.tsx"
import { Failure } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { ColumnPicker } from "./columnPicker.tsx"
import { Export } from "./export.tsx"
import { FilterChips } from "./filterChips.tsx"
import { SavedViews } from "./savedViews.tsx"
import { DealTable } from "./table.tsx"
import { writeQuery, readView, type View, withFilter } from "./view.ts"

const SETTLED_MS = 250

/** All deals: searched, filtered, sorted and counted by the server. */
export const Deals = () => {
  const { query, route } = useLocation()
  const view = readView(query)
  const show = (next: Partial<View>) => route(hrefOf(`/deals${writeQuery({ ...view, ...next })}`), true)
  // Counting takes longer than the rows that a reader sees, so it waits until the reader pauses.
  const counted = useSettled(view.filters, JSON.stringify(view.filters))
  const totals = useQuery(
    ["deal totals", counted],
    (signal) => client.reports.deals({ ...counted, measures: ["deals", "amount"] }, { signal }),
    { keepPrevious: true },
  )
  const isStale = totals.isPlaceholderData || JSON.stringify(counted) !== JSON.stringify(view.filters)
  const values = totals.data?.totals.values
  return (
    <div class="page fill">
      <header class="page-head">
        <h1>{t("nav.deals")}</h1>
        <p class={isStale ? "soft stale" : "soft"} aria-live="polite">
          {values === undefined
            ? " "
            : t("deals.totals", { count: format.count(values["deals"]), amount: format.money(values["amount"]) })}
        </p>
        <div class="actions">
          <Search
            label={t("deals.search")}
            value={view.filters.searchQuery ?? ""}
            onSearch={(text) => show({ filters: withFilter(view.filters, "searchQuery", text || undefined) })}
          />
          <SavedViews view={view} />
          <ColumnPicker columns={view.columns} onChange={(columns) => show({ columns })} />
          <Export view={view} count={values?.["deals"] ?? 0} />
        </div>
      </header>
      <FilterChips filters={view.filters} onChange={(filters) => show({ filters })} />
      {totals.isError ? (
        <Failure error={totals.error} retry={() => void totals.refetch()} />
      ) : (
        <DealTable
          // Rows that were loaded for other columns lack those that a reader adds.
          key={view.columns.join()}
          view={view}
          count={isStale ? undefined : (values?.["deals"] ?? undefined)}
          onSort={(sort, order) => show({ sort, order })}
        />
      )}
    </div>
  )
}

/** The value once it has not changed for a moment, and the one before until then. `key` says whether it changed. */
const useSettled = <A,>(value: A, key: string): A => {
  const [settled, setSettled] = useState({ value, key })
  useEffect(() => {
    if (key === settled.key) return
    const timer = setTimeout(() => setSettled({ value, key }), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [key])
  return settled.value
}
