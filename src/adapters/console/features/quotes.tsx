import { useSignal } from "@preact/signals"
import type { DealFeature } from "../../../core/deals/columns/columns.ts"
import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { dealHref } from "../common/links.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Outcome } from "../deals/outcome.tsx"

const PAGE_SIZE = 20

const load = async (id: string, size: number, signal: AbortSignal) => {
  const rows = await client.deals.list(
    {
      feature_ids: [id],
      columns: ["name", "client_name", "amount", "status_id", "deal_status", "features"],
      sort: "amount",
      page_size: Math.min(size + 1, 100),
    },
    { signal },
  )
  const deals = rows.slice(0, size).flatMap((deal) => {
    const found = (deal.features as ReadonlyArray<typeof DealFeature.Type>).filter(
      ({ feature_id, influence_summary }) => feature_id === id && influence_summary,
    )
    return found.map((feature) => ({ deal, feature }))
  })
  return { deals, hasMore: rows.length > size && size < 80 }
}

/** Quotes of deals about a feature, the largest deal first. */
export const Quotes = ({ id }: { readonly id: string }) => {
  const size = useSignal(PAGE_SIZE)
  const query = useQuery(["feature quotes", id, size.value], (signal) => load(id, size.value, signal), {
    keepPrevious: true,
  })
  return (
    <section class="card">
      <h2>{t("features.quotes")}</h2>
      <Loaded query={query} lines={6}>
        {({ deals, hasMore }) => (
          <>
            {deals.length === 0 && <p class="soft">{t("features.noQuotes")}</p>}
            <ul class="factors">
              {deals.map(({ deal, feature }) => (
                <li key={deal.id}>
                  <span
                    class={`sign ${toneOf(feature.sentiment)}`}
                    title={t(`features.${nameSentiment(feature.sentiment)}`)}
                  >
                    {SIGNS[nameSentiment(feature.sentiment)]}
                  </span>
                  <div class="grow">
                    <p class="said">{feature.influence_summary}</p>
                    <p class="small">
                      <a href={dealHref(deal.id)}>{deal.name}</a>
                      {deal.client_name !== null && ` · ${deal.client_name}`} · {format.shortMoney(deal.amount)}{" "}
                      <Outcome stageId={deal.status_id} name={deal.deal_status} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
            {hasMore && (
              <button type="button" disabled={query.isFetching} onClick={() => (size.value += PAGE_SIZE)}>
                {t("more")}
              </button>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const nameSentiment = (sentiment: boolean | null) =>
  sentiment === null ? "neutral" : sentiment ? ("positive" as const) : "negative"
const toneOf = (sentiment: boolean | null) => (sentiment === null ? "" : sentiment ? "good" : "bad")
const SIGNS = { positive: "+", negative: "−", neutral: "·" } as const
