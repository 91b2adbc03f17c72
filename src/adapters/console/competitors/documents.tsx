import { hrefOf } from "../common/base.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { DocumentRow } from "../library/documentRow.tsx"
import { useDocuments } from "../library/documents.ts"
import { Uploads } from "../library/uploader.tsx"

const MAX_SHOWN = 6

/** The newest documents about a competitor, and where the others are. */
export const Documents = ({ id }: { readonly id: string }) => {
  const query = useDocuments({ competitor_id: id, belongs_to: "competitor" })
  const href = hrefOf(`/library?competitor=${encodeURIComponent(id)}`)
  return (
    <section class="card">
      <h2>
        {t("competitors.documents")}
        <a class="more" href={href}>
          {t(may(current().session, "library.write") ? "competitors.add" : "competitors.allDocuments")}
        </a>
      </h2>
      <Uploads />
      <Loaded query={query} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="soft">{t("competitors.noDocuments")}</p>
          ) : (
            <>
              <ul class="rows">
                {data.slice(0, MAX_SHOWN).map((document) => (
                  <DocumentRow key={document.id} document={document} isBrief />
                ))}
              </ul>
              {data.length > MAX_SHOWN && (
                <a class="more" href={href}>
                  {t("competitors.allDocuments")}
                </a>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}
