import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import type { Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { reviewHref } from "../common/links.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { analyzing, watchAll, runAll } from "./runAll.ts"

type Queue = Output<"analysis", "queue">

const PAGE_SIZE = 50

/** The deals whose findings await a person, the largest first, and how right the findings were. */
export const Review = () => {
  const query = useQuery(["queue"], (signal) => client.analysis.queue({ page_size: PAGE_SIZE }, { signal }))
  watchAll()
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.review")}</h1>
        {may(current().session, "analysis.run") && (
          <div class="actions">
            {analyzing.value.state === "running" && <progress aria-label={t("findings.running")} />}
            <button type="button" disabled={analyzing.value.state === "running"} onClick={() => void runAll()}>
              {analyzing.value.state === "running" ? t("findings.running") : t("review.runAll")}
            </button>
          </div>
        )}
      </header>
      <p class="refusal" role="alert">
        {analyzing.value.state === "failed" && analyzing.value.reason}
      </p>
      <div class="grid two-thirds">
        <section class="card">
          <h2>{t("review.queue")}</h2>
          <Loaded query={query} lines={6}>
            {(queue) => <Waiting queue={queue} />}
          </Loaded>
        </section>
        <Quality />
      </div>
    </div>
  )
}

const Waiting = ({ queue }: { readonly queue: Queue }) => {
  const refusal = useSignal("")
  if (queue.data.length === 0)
    return (
      <Notice title={t("review.none")}>
        <p>{t("review.noneHint")}</p>
      </Notice>
    )
  const more = async (cursor: string) => {
    refusal.value = ""
    try {
      const next = await client.analysis.queue({ page_size: PAGE_SIZE, cursor })
      queries.setQueryData<Queue>(["queue"], (before) => before && { ...next, data: [...before.data, ...next.data] })
    } catch (error) {
      refusal.value = (error as Error).message
    }
  }
  const cursor = queue.next_cursor
  return (
    <>
      <ul class="rows">
        {queue.data.map((deal) => (
          <li key={deal.deal_id}>
            <a href={reviewHref(deal.deal_id)}>
              <span class="grow">
                <strong>{deal.deal_name}</strong>
                <span class="soft">
                  {t("review.proposed", { count: format.count(deal.proposed) })}
                  {deal.doubtful > 0 && ` · ${t("review.doubtful", { count: format.count(deal.doubtful) })}`}
                  {deal.conflicts > 0 && ` · ${t("review.contradicted", { count: format.count(deal.conflicts) })}`}
                </span>
              </span>
              {deal.deal_status !== null && <span class="badge">{deal.deal_status}</span>}
              <span class="number">{format.shortMoney(deal.amount)}</span>
              <Icon name="right" />
            </a>
          </li>
        ))}
      </ul>
      {cursor !== null && (
        <button type="button" onClick={() => void more(cursor)}>
          {t("more")}
        </button>
      )}
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
    </>
  )
}

/** How many findings people accepted as found, by kind. */
const Quality = () => {
  const query = useQuery(["quality"], (signal) => client.analysis.quality(undefined, { signal }))
  return (
    <section class="card">
      <h2>{t("review.quality")}</h2>
      <Loaded query={query} lines={4}>
        {({ data, scores }) => {
          const judged = data.filter(({ precision }) => precision !== null)
          const agreed = scores.flatMap(({ kappa, ...score }) => (kappa === null ? [] : [{ ...score, kappa }]))
          if (judged.length + agreed.length === 0) return <p class="soft">{t("review.noQuality")}</p>
          return (
            <>
              <ul class="bars">
                {judged.map(({ kind, by, version, precision, low, high, ...counts }) => (
                  <Bar
                    key={`${kind} ${by} ${version}`}
                    title={`${by} ${version}`}
                    name={t(`finding.${kind}`)}
                    part={precision}
                  >
                    {t("review.precision", {
                      percent: format.percent(precision),
                      count: format.count(counts.accepted + counts.changed + counts.rejected),
                      low: format.percent(low),
                      high: format.percent(high),
                    })}
                  </Bar>
                ))}
              </ul>
              {agreed.length > 0 && (
                <>
                  <h3>{t("review.agreement")}</h3>
                  <p class="soft">{t("review.agreementHint")}</p>
                  <ul class="bars">
                    {agreed.map(({ metric, by, version, scores: count, kappa }) => (
                      <Bar
                        key={`${metric} ${by} ${version}`}
                        title={`${by} ${version}`}
                        name={t(`metric.${metric}`)}
                        part={kappa}
                      >
                        {format.decimal(kappa, 2)} ({t("review.scores", { count: format.count(count) })})
                      </Bar>
                    ))}
                  </ul>
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

interface BarProps {
  readonly title: string
  readonly name: string
  /** From 0 to 1; less than 0 is an empty bar. */
  readonly part: number | null
  readonly children: ComponentChildren
}

const Bar = ({ title, name, part, children }: BarProps) => (
  <li class="bar-row" title={title}>
    <span class="bar-name">{name}</span>
    <span class="bar-value">{children}</span>
    <span class="track">
      <span class="back-accent" style={{ width: `${100 * Math.max(part ?? 0, 0)}%` }} />
    </span>
  </li>
)
