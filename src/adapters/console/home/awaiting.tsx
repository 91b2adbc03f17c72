import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { hrefOf } from "../common/base.ts"
import { reviewHref } from "../common/links.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"

const PAGE_SIZE = 50
const MAX_ROWS = 5

/** The deals whose findings await a person: how many, and the largest of them. */
export const Awaiting = () => {
  // The same key as on the page of the queue, which then shows at once.
  const query = useQuery(["queue"], (signal) => client.analysis.queue({ page_size: PAGE_SIZE }, { signal }))
  return (
    <section class="card">
      <Loaded query={query} lines={6}>
        {({ data, next_cursor }) => (
          <>
            <h2>
              {t("home.awaiting")}
              {data.length > 0 && (
                <a class="more" href={hrefOf("/review")}>
                  {t("home.awaitingAll", { count: `${format.count(data.length)}${next_cursor === null ? "" : "+"}` })}
                </a>
              )}
            </h2>
            {data.length === 0 ? (
              <Notice title={t("review.none")}>
                <p>{t("review.noneHint")}</p>
                <a href={hrefOf("/review")}>{t("nav.review")}</a>
              </Notice>
            ) : (
              <ul class="rows">
                {data.slice(0, MAX_ROWS).map((deal) => (
                  <li key={deal.deal_id}>
                    <a href={reviewHref(deal.deal_id)}>
                      <span class="grow">
                        <strong>{deal.deal_name}</strong>
                        <span class="soft">
                          {t("review.proposed", { count: format.count(deal.proposed) })}
                          {deal.conflicts > 0 &&
                            ` · ${t("review.contradicted", { count: format.count(deal.conflicts) })}`}
                        </span>
                      </span>
                      <span class="number">{format.shortMoney(deal.amount)}</span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
