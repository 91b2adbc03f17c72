import { useSignal } from "@preact/signals"
import { Drop } from "../common/files.tsx"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { DocumentRow } from "../library/documentRow.tsx"
import { useDocuments } from "../library/documents.ts"
import { ACCEPTED, Uploads } from "../library/uploader.tsx"
import { resume, upload } from "../library/uploads.ts"

/** Documents that show at first, and that date the findings. */
export const SHOWN = 100

/** The deal's documents, each a link into the viewer, and a place for more. */
export const Documents = ({ id }: { readonly id: string }) => {
  resume()
  const size = useSignal(SHOWN)
  const query = useDocuments({ deal_id: id }, size.value)
  return (
    <section class="card">
      <h2>{t("deal.documents")}</h2>
      {may(current().session, "deals.documents.write") && (
        <Drop
          accept={ACCEPTED}
          multiple
          title={t("upload.drop")}
          hint={t("upload.formats")}
          onFiles={(files) => upload(files, { deal_id: id }, id)}
        />
      )}
      <Uploads deal={id} />
      <Loaded query={query} lines={2}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <p class="soft">{t("deal.noDocuments")}</p>
          ) : (
            <>
              <ul class="rows">
                {data.map((document) => (
                  <DocumentRow key={document.id} document={document} isAtDeal />
                ))}
              </ul>
              {hasMore && (
                <button type="button" onClick={() => (size.value += SHOWN)}>
                  {t("more")}
                </button>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}
