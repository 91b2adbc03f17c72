import { useEffect, useRef, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { client } from "../common/api.ts"
import { Icon } from "../common/icons.tsx"
import { ImportHint } from "../common/importHint.tsx"
import { dealHref } from "../common/links.ts"
import { Failure, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Cell, type DealRow } from "./cell.tsx"
import { type Column, COLUMNS, type ColumnName } from "./fields.ts"
import { writeQuery, type View } from "./view.ts"

const ROW_PX = 44
const PAGE_SIZE = 100
/** Rows drawn above and below the visible ones. */
const MARGIN_ROWS = 10

interface Props {
  readonly view: View
  /** Undefined until the server has counted. */
  readonly count: number | undefined
  readonly onSort: (sort: View["sort"], order: View["order"]) => void
}

/** Draws the visible rows only, and loads the pages that they are on. */
export const DealTable = ({ view, count: counted, onSort }: Props) => {
  const ref = useRef<HTMLDivElement>(null)
  const start = usePage(view, 0)
  const loaded = start.isPlaceholderData ? undefined : start.data?.length
  const count = counted ?? (loaded !== undefined && loaded < PAGE_SIZE ? loaded : undefined)
  const [{ top, height }, setScroll] = useState({ top: 0, height: 900 })
  useEffect(() => {
    const element = ref.current!
    const measure = () => setScroll({ top: element.scrollTop, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => ref.current?.scrollTo(0, 0), [writeQuery(view)])
  const first = Math.max(0, Math.floor(top / ROW_PX) - MARGIN_ROWS)
  const end = Math.min(count ?? PAGE_SIZE, Math.ceil((top + height) / ROW_PX) + MARGIN_ROWS)
  const pages: Array<number> = []
  for (let page = Math.floor(first / PAGE_SIZE); page * PAGE_SIZE < Math.max(end, 1); page++) pages.push(page)
  const widths = view.columns.reduce((sum, name) => sum + COLUMNS[name].width, 0)

  return (
    <div
      class="table-scroll"
      ref={ref}
      tabIndex={0}
      role="region"
      aria-label={t("nav.deals")}
      onScroll={({ currentTarget }) => setScroll({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      {count === 0 ? (
        <Notice title={t("deals.none")}>
          {Object.keys(view.filters).length > 0 ? <p>{t("deals.noneHint")}</p> : <ImportHint />}
        </Notice>
      ) : (
        <table class="deals" aria-rowcount={count === undefined ? -1 : count + 1}>
          <colgroup>
            {view.columns.map((name) => (
              <col key={name} style={{ width: `${(100 * COLUMNS[name].width) / widths}%` }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {view.columns.map((name) => (
                <Heading key={name} name={name} view={view} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer rows={first} />
            {pages.map((page) => (
              <Page key={page} page={page} view={view} first={first} end={end} count={count} />
            ))}
            <Spacer rows={Math.max(0, (count ?? 0) - end)} />
          </tbody>
        </table>
      )}
    </div>
  )
}

const Spacer = ({ rows }: { readonly rows: number }) =>
  rows === 0 ? null : <tr aria-hidden="true" style={{ height: `${rows * ROW_PX}px` }} />

const Heading = ({ name, view, onSort }: { readonly name: ColumnName } & Pick<Props, "view" | "onSort">) => {
  const column: Column = COLUMNS[name]
  const isSorted = view.sort === name
  const next = isSorted ? (view.order === "desc" ? "asc" : "desc") : name === "name" ? "asc" : "desc"
  return (
    <th
      scope="col"
      class={column.isNumber ? "number" : undefined}
      aria-sort={isSorted ? (view.order === "asc" ? "ascending" : "descending") : undefined}
    >
      {column.sort === true ? (
        <button type="button" class="sort" onClick={() => onSort(name as View["sort"], next)}>
          {t(`column.${name}`)}
          {isSorted && <Icon name={view.order === "asc" ? "up" : "down"} />}
        </button>
      ) : (
        t(`column.${name}`)
      )}
    </th>
  )
}

/** One page of rows. Those of the view before stay until it arrives. */
const usePage = (view: View, page: number) =>
  useQuery(
    ["deals", view, page],
    async (signal) => {
      const rows = await client.deals.list(
        {
          ...view.filters,
          columns: [...view.columns, "status_id"],
          sort: view.sort,
          sort_order: view.order,
          page_size: PAGE_SIZE,
          page_index: page,
        },
        { signal },
      )
      return rows as unknown as ReadonlyArray<DealRow>
    },
    { keepPrevious: true },
  )

interface PageProps {
  readonly page: number
  readonly view: View
  readonly first: number
  readonly end: number
  readonly count: number | undefined
}

const Page = ({ page, view, first, end, count }: PageProps) => {
  const { route } = useLocation()
  const query = usePage(view, page)
  if (query.isError)
    return (
      <tr>
        <td colSpan={view.columns.length}>
          <Failure error={query.error} retry={() => void query.refetch()} />
        </td>
      </tr>
    )
  const from = Math.max(first, page * PAGE_SIZE)
  const to = Math.min(end, (page + 1) * PAGE_SIZE, count ?? page * PAGE_SIZE + (query.data?.length ?? 20))
  return (
    <>
      {Array.from({ length: Math.max(0, to - from) }, (_, n) => {
        const index = from + n
        const row = query.data?.[index - page * PAGE_SIZE]
        return row === undefined ? (
          <tr key={index} class="pending" aria-hidden="true">
            <td colSpan={view.columns.length}>
              <span />
            </td>
          </tr>
        ) : (
          <tr
            key={row.id}
            class={query.isPlaceholderData ? "stale" : undefined}
            aria-rowindex={index + 2}
            onClick={() => route(dealHref(row.id))}
          >
            {view.columns.map((name) => (
              <Cell key={name} name={name} row={row} />
            ))}
          </tr>
        )
      })}
    </>
  )
}
