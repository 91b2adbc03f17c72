import { client, queries } from "../common/api.ts"
import { ConfirmButton, Refusal } from "../common/controls.tsx"
import * as format from "../common/format.ts"
import { conversationHref } from "../common/links.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"
import { KEPT } from "./conversation.ts"

/** The person's own conversations: each opens, or is deleted. */
export const Earlier = () => {
  const query = useQuery(KEPT, (signal) => client.conversations.list(undefined, { signal }))
  const { act, isBusy, refusal } = useAct()
  const remove = (send: () => Promise<unknown>) =>
    act(async () => {
      await send()
      await queries.invalidateQueries({ queryKey: KEPT })
    })
  return (
    <Loaded query={query} lines={4}>
      {({ data }) =>
        data.length > 0 && (
          <section class="card">
            <h2>
              {t("ask.earlier")}
              <ConfirmButton
                disabled={isBusy}
                question={t("ask.removeAllAsk")}
                onConfirm={() => remove(() => client.conversations.deleteAll())}
              >
                {t("ask.removeAll")}
              </ConfirmButton>
            </h2>
            <ul class="rows">
              {data.map(({ id, title, turns, updated_at }) => (
                <li key={id} class="row">
                  <a class="grow" href={conversationHref(id)}>
                    <strong>{title}</strong>
                    <span class="soft">
                      {[
                        format.ago(updated_at),
                        ...(turns > 1 ? [t("ask.turns", { count: format.count(turns) })] : []),
                      ].join(" · ")}
                    </span>
                  </a>
                  <ConfirmButton
                    disabled={isBusy}
                    question={t("ask.removeAsk", { title })}
                    onConfirm={() => remove(() => client.conversations.delete({ id }))}
                  >
                    {t("ask.remove")}
                  </ConfirmButton>
                </li>
              ))}
            </ul>
            <Refusal text={refusal} />
          </section>
        )
      }
    </Loaded>
  )
}
