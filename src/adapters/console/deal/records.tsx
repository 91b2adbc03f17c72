import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { ownPath } from "../common/links.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import { Outcome } from "../deals/outcome.tsx"

const MAX_DOCUMENTS = 100

/** The newest documents of the deal. */
export const useDocuments = (id: string) =>
  useQuery(["documents", id], (signal) => client.library.list({ deal_id: id, page_size: MAX_DOCUMENTS }, { signal }))

/** The deal's documents, each a link into the viewer. */
export const Documents = ({ id }: { readonly id: string }) => {
  const query = useDocuments(id)
  return (
    <section class="card">
      <h2>{t("deal.documents")}</h2>
      <Loaded query={query} lines={2}>
        {({ data, next_cursor }) =>
          data.length === 0 ? (
            <p class="soft">{t("deal.noDocuments")}</p>
          ) : (
            <ul class="rows">
              {data.map((document) => (
                <li key={document.id}>
                  <a href={ownPath(document.url)} target="_blank" rel="noopener">
                    <Icon name="document" />
                    <span class="grow">
                      <strong>{document.file_name}</strong>
                      <span class="soft">
                        {t(`documentStatus.${document.status}`)} · {format.day(document.created_at)}
                      </span>
                    </span>
                    <Icon name="external" />
                  </a>
                </li>
              ))}
              {next_cursor !== null && <li class="soft">{t("deal.moreDocuments", { count: MAX_DOCUMENTS })}</li>}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

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
