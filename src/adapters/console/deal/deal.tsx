import { useEffect } from "preact/hooks"
import { useLocation, useRoute } from "preact-iso"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { askHref, dealsHref } from "../common/links.ts"
import { Failure, Skeleton } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Outcome } from "../deals/outcome.tsx"
import { ViewerPanel } from "../common/viewerPanel.tsx"
import { evidence } from "./analysis.ts"
import { Documents } from "./documents.tsx"
import { Competitors, Drivers, Features } from "./factors.tsx"
import { Findings } from "./findings.tsx"
import { NextReview } from "./nextReview.tsx"
import { OwnQuestions } from "./ownQuestions.tsx"
import { Scorecard } from "./scorecard.tsx"
import { Stages } from "./stages.tsx"
import { Story } from "./story.tsx"
import type { WholeDeal } from "./wholeDeal.ts"

/** One deal: its facts, its story, why it went as it did, and its documents. */
export const Deal = () => {
  const id = useRoute().params["id"] ?? ""
  const isReview = useLocation().query["review"] !== undefined
  const query = useQuery(["deal", id], (signal) => client.deals.get({ id, columns: ["*"] }, { signal }))
  useEffect(() => () => void (evidence.value = undefined), [id])
  if (query.isError)
    return (
      <div class="page">
        <Failure error={query.error} retry={() => void query.refetch()} />
        <p>
          <a href={hrefOf("/deals")}>{t("nav.deals")}</a>
        </p>
      </div>
    )
  if (query.data === undefined)
    return (
      <div class="page">
        <Skeleton lines={10} />
      </div>
    )
  const deal: WholeDeal = query.data
  return (
    <div class={evidence.value === undefined ? "beside" : "beside with-source"}>
      <div class="scroll">
        <article class="page deal">
          <header class="deal-head">
            <a class="back" href={hrefOf("/deals")}>
              <Icon name="left" />
              {t("nav.deals")}
            </a>
            <h1>{deal.name}</h1>
            <p class="deal-line">
              <Outcome stageId={deal.status_id} name={deal.deal_status} />
              <strong>{format.money(deal.amount)}</strong>
              {deal.analysis_verified && <span class="badge verified">{t("deal.verified")}</span>}
              {isReview && <NextReview id={deal.id} />}
              <a class="button" href={askHref(t("question.deal", { name: deal.name }))}>
                <Icon name="spark" />
                {t("deal.ask")}
              </a>
            </p>
          </header>
          <div class="grid deal-grid">
            <div>
              {isReview && <Findings id={deal.id} isReview />}
              <Story deal={deal} />
              <Drivers deal={deal} />
              <Features deal={deal} />
              <OwnQuestions id={deal.id} />
              {!isReview && <Findings id={deal.id} isReview={false} />}
              <Documents id={deal.id} />
            </div>
            <aside>
              <Facts deal={deal} />
              <Scorecard deal={deal} />
              <Competitors deal={deal} />
              <Stages id={deal.id} />
            </aside>
          </div>
        </article>
      </div>
      {evidence.value !== undefined && evidence.value.url !== null && (
        <ViewerPanel
          url={evidence.value.url}
          name={evidence.value.document_name}
          label={t("findings.evidence", { name: evidence.value.document_name })}
          onClose={() => (evidence.value = undefined)}
        />
      )}
    </div>
  )
}

const Facts = ({ deal }: { readonly deal: WholeDeal }) => {
  const facts: ReadonlyArray<readonly [string, preact.ComponentChildren]> = [
    [t("column.client_name"), deal.client_name],
    [
      t("column.owner_name"),
      deal.owner_id && <a href={dealsHref({ owner_ids: [deal.owner_id] })}>{deal.owner_name}</a>,
    ],
    [t("deal.collaborators"), deal.collaborators.map(({ name }) => name).join(", ")],
    [t("column.close_date"), deal.close_date && format.day(deal.close_date)],
    [t("column.type"), deal.type],
    [t("column.region"), deal.region && <a href={dealsHref({ region: [deal.region] })}>{deal.region}</a>],
    [t("column.industry"), deal.industry && <a href={dealsHref({ industry: [deal.industry] })}>{deal.industry}</a>],
    [t("column.product_labels"), deal.product_labels.join(", ")],
    [t("deal.segments"), deal.segments.map(({ name }) => name).join(", ")],
    [t("column.created_at"), format.day(deal.created_at)],
    ["CRM", [deal.crm_one_id, deal.crm_two_id].filter(Boolean).join(", ")],
  ]
  return (
    <section class="card">
      <h2>{t("deal.facts")}</h2>
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
