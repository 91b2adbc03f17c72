import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Outcome } from "../deals/outcome.tsx"

export const Stages = ({ id }: { readonly id: string }) => {
  const query = useQuery(["stages", id], (signal) => client.deals.stages({ id }, { signal }))
  return (
    <section class="card">
      <h2>{t("deal.stages")}</h2>
      <Loaded query={query} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="soft">{t("deal.noStages")}</p>
          ) : (
            <ol class="timeline">
              {data.map(({ changed_at, status }) => (
                <li key={changed_at}>
                  <Outcome stageId={status?.id ?? null} name={status?.name ?? null} />
                  <time dateTime={changed_at}>{format.instant(changed_at)}</time>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  )
}
