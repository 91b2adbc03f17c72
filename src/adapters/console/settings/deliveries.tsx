import type { Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { Refusal } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"

type Page = Output<"webhooks", "deliveries">

const PAGE_SIZE = 20

/** Deliveries to one address, newest first. */
export const Deliveries = ({ id }: { readonly id: string }) => {
  const queryKey = ["deliveries", id]
  const query = useQuery(queryKey, (signal) => client.webhooks.deliveries({ id, page_size: PAGE_SIZE }, { signal }))
  const { act, isBusy, refusal } = useAct()
  const more = async (cursor: string) => {
    const next = await client.webhooks.deliveries({ id, page_size: PAGE_SIZE, cursor })
    queries.setQueryData<Page>(queryKey, (before) => before && { ...next, data: [...before.data, ...next.data] })
  }
  return (
    <div class="deliveries">
      <p class="acts">
        <button type="button" onClick={() => void query.refetch()}>
          {t("refresh")}
        </button>
      </p>
      <Refusal text={refusal} />
      <Loaded query={query} lines={2}>
        {({ data, next_cursor }) =>
          data.length === 0 ? (
            <p class="soft">{t("deliveries.none")}</p>
          ) : (
            <>
              <ul class="rows">
                {data.map((delivery) => (
                  <li key={delivery.id} class="row">
                    <span class="grow">
                      <strong>
                        {delivery.event_type} <span class="tag">{t(`deliveryStatus.${delivery.status}`)}</span>
                      </strong>
                      <span class="soft">
                        {[
                          format.instant(delivery.created_at),
                          t("deliveries.attempts", { count: delivery.attempts }),
                          delivery.response_status,
                          delivery.error,
                        ]
                          .filter((part) => part !== null)
                          .join(" · ")}
                      </span>
                      <details>
                        <summary>{t("deliveries.body")}</summary>
                        <pre tabIndex={0}>{JSON.stringify(delivery.payload, null, 2)}</pre>
                      </details>
                    </span>
                    {delivery.status !== "pending" && (
                      <button
                        type="button"
                        disabled={isBusy}
                        onClick={() =>
                          void act(async () => {
                            await client.webhooks.replay({ id, delivery_id: delivery.id })
                            await queries.invalidateQueries({ queryKey })
                          })
                        }
                      >
                        {t("deliveries.replay")}
                      </button>
                    )}
                  </li>
                ))}
              </ul>
              {next_cursor !== null && (
                <button type="button" disabled={isBusy} onClick={() => void act(() => more(next_cursor))}>
                  {t("more")}
                </button>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  )
}
