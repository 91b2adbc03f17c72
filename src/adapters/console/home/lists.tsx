import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { ImportHint } from "../common/importHint.tsx"
import { askHref, dealHref, dealsHref } from "../common/links.ts"
import { current } from "../common/session.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Outcome } from "../deals/outcome.tsx"

const MAX_CHANGES = 8

/** The deals that changed last. */
export const Changes = () => {
  const query = useQuery(["changed"], (signal) =>
    client.deals.list(
      {
        columns: ["name", "amount", "deal_status", "status_id", "client_name", "owner_name", "updated_at"],
        sort: "updated_at",
        page_size: MAX_CHANGES,
      },
      { signal },
    ),
  )
  return (
    <section class="card">
      <h2>
        {t("home.changed")}
        <a class="more" href={dealsHref({})}>
          {t("home.all")}
        </a>
      </h2>
      <Loaded query={query} lines={8}>
        {(deals) =>
          deals.length === 0 ? (
            <Notice title={t("deals.none")}>
              <ImportHint />
            </Notice>
          ) : (
            <ul class="rows">
              {deals.map((deal) => (
                <li key={deal.id}>
                  <a href={dealHref(deal.id)}>
                    <span class="grow">
                      <strong>{deal.name}</strong>
                      <span class="soft">
                        {[deal.client_name, deal.owner_name].filter((part) => part !== null).join(" · ")}
                      </span>
                    </span>
                    <Outcome stageId={deal.status_id} name={deal.deal_status} />
                    <span class="number">{format.shortMoney(deal.amount)}</span>
                    <span class="soft time">{format.ago(deal.updated_at)}</span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** Questions about this workspace's own names, each a click away from its answer. */
export const Questions = () => {
  const { competitors, regions } = current().workspace
  const rival = competitors.data.toSorted((one, other) => other.deals - one.deals)[0]?.name
  const questions = [
    ...(rival === undefined ? [] : [t("question.rival", { rival })]),
    t("question.largest"),
    ...(regions.data.length > 1 ? [t("question.regions")] : []),
    t("question.reasons"),
  ]
  return (
    <section class="card">
      <h2>{t("home.questions")}</h2>
      <ul class="rows">
        {questions.map((question) => (
          <li key={question}>
            <a href={askHref(question)}>
              <Icon name="spark" />
              <span class="grow">{question}</span>
              <Icon name="right" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
