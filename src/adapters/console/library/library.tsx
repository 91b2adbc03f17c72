import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { hrefOf } from "../common/base.ts"
import { Search } from "../common/search.tsx"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useCompetitors } from "../common/useCompetitors.ts"
import { DocumentRow } from "./documentRow.tsx"
import { type DocumentFilters, PAGE_SIZE, useDocuments } from "./documents.ts"
import { TYPES, Uploader } from "./uploader.tsx"
import { resume } from "./uploads.ts"

const STATUSES = ["ready", "processing", "failed"] as const

/** The address holds the filters, so that a link or the back button restores them. */
const filtersIn = (query: Readonly<Record<string, string>>): DocumentFilters => {
  const type = TYPES.find((each) => each === query["type"])
  const belongs_to = query["type"] === "deal" ? ("deal" as const) : ("competitor" as const)
  const status = STATUSES.find((each) => each === query["status"])
  return {
    belongs_to,
    ...(query["q"] && { searchQuery: query["q"] }),
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(query["competitor"] && { competitor_id: query["competitor"] }),
  }
}

/** The library of competitors: documents added, followed while they are read, and found again. */
export const Library = () => {
  resume()
  const { query, route } = useLocation()
  const { competitors } = useCompetitors()
  const size = useSignal(PAGE_SIZE)
  const filters = filtersIn(query)
  const documents = useDocuments(filters, size.value)
  const nameOf = new Map(competitors.map(({ id, name }) => [id, name]))
  const show = (name: string, value: string) => {
    const next = new URLSearchParams(query)
    if (value === "") next.delete(name)
    else next.set(name, value)
    size.value = PAGE_SIZE
    route(hrefOf(`/library${next.size === 0 ? "" : `?${next}`}`), true)
  }
  const choose = (name: string) => (event: { readonly currentTarget: HTMLSelectElement }) =>
    show(name, event.currentTarget.value)
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.library")}</h1>
        <div class="actions">
          <Search label={t("library.search")} value={query["q"] ?? ""} onSearch={(text) => show("q", text)} />
          <select aria-label={t("competitor")} value={query["competitor"] ?? ""} onChange={choose("competitor")}>
            <option value="">{t("library.allCompetitors")}</option>
            {competitors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <select aria-label={t("library.type")} value={query["type"] ?? ""} onChange={choose("type")}>
            <option value="">{t("library.allTypes")}</option>
            {TYPES.map((each) => (
              <option key={each} value={each}>
                {t(`documentType.${each}`)}
              </option>
            ))}
            <option value="deal">{t("documentType.deal")}</option>
          </select>
          <select aria-label={t("library.status")} value={query["status"] ?? ""} onChange={choose("status")}>
            <option value="">{t("library.allStatuses")}</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {t(`documentStatus.${each}`)}
              </option>
            ))}
          </select>
        </div>
      </header>
      {may(current().session, "library.write") && (
        <Uploader key={query["competitor"]} competitor={query["competitor"] ?? ""} />
      )}
      <section class={documents.isPlaceholderData ? "card stale" : "card"}>
        <h2>{t("library.list")}</h2>
        <Loaded query={documents} lines={8}>
          {({ data, hasMore }) =>
            data.length === 0 ? (
              <Nothing isFiltered={Object.keys(query).length > 0} />
            ) : (
              <>
                <ul class="rows">
                  {data.map((document) => (
                    <DocumentRow
                      key={document.id}
                      document={document}
                      competitor={nameOf.get(document.competitor_id ?? "")}
                    />
                  ))}
                </ul>
                {hasMore && (
                  <button type="button" onClick={() => (size.value += PAGE_SIZE)}>
                    {t("more")}
                  </button>
                )}
              </>
            )
          }
        </Loaded>
      </section>
    </div>
  )
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title={t("library.noneFound")}>
      <a href={hrefOf("/library")}>{t("library.clear")}</a>
    </Notice>
  ) : (
    <Notice title={t("library.none")}>
      <p>{t("library.noneHint")}</p>
    </Notice>
  )
