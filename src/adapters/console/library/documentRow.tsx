import type { ComponentChildren } from "preact"
import { client } from "../common/api.ts"
import { ConfirmButton, Refusal } from "../common/controls.tsx"
import { FileInput } from "../common/files.tsx"
import * as format from "../common/format.ts"
import { Icon } from "../common/icons.tsx"
import { dealHref, ownPath } from "../common/links.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import type { Document } from "./documents.ts"
import { ACCEPTED } from "./uploader.tsx"
import { readAgain, reloadDocuments, upload } from "./uploads.ts"

/** A document: a link into the viewer, what is known of it, and what may be done with it. */
export const DocumentRow = ({
  document,
  competitor,
  isBrief = false,
}: {
  readonly document: Document
  /** Without what may be done with it. */
  readonly isBrief?: boolean
  readonly competitor?: string | undefined
}) => {
  const { file_name, status, failure_reason, replaced_by } = document
  return (
    <li class={replaced_by === null ? "row document" : "row document old"}>
      <Icon name="document" />
      <span class="grow">
        <strong>
          <a href={ownPath(document.url)} target="_blank" rel="noopener">
            {file_name}
          </a>
          {document.version > 1 && <span class="tag">{t("library.version", { number: document.version })}</span>}
        </strong>
        <span class="soft">{withDots(factsOf(document, competitor))}</span>
        {failure_reason !== null && <span class="refusal whole">{failure_reason}</span>}
        <Warnings warnings={document.warnings} />
      </span>
      <span class={`badge ${BADGES[status]}`}>{t(`documentStatus.${status}`)}</span>
      {!isBrief && <Acts document={document} />}
    </li>
  )
}

const BADGES = { processing: "open", ready: "won", failed: "lost" } as const

const factsOf = (document: Document, competitor: string | undefined): ReadonlyArray<ComponentChildren> => [
  ...(document.deal_id === null
    ? [competitor, t(`documentType.${document.type}`)]
    : [<a href={dealHref(document.deal_id)}>{t("library.ofDeal")}</a>]),
  document.parent_id !== null && t("library.attachment"),
  document.size_bytes !== null && format.bytes(document.size_bytes),
  format.day(document.created_at),
  document.replaced_by !== null && t("library.replaced"),
]

const withDots = (facts: ReadonlyArray<ComponentChildren>) =>
  facts.filter((fact) => fact !== false && fact !== undefined).map((fact, index) => [index > 0 && " · ", fact] as const)

const Warnings = ({ warnings }: Pick<Document, "warnings">) =>
  warnings.length === 0 ? null : (
    <details class="whole">
      <summary class="soft">
        {warnings.length === 1 ? t("library.warning") : t("library.warnings", { count: warnings.length })}
      </summary>
      <ul>
        {warnings.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </details>
  )

/** Documents of deals follow their own permission for new versions, so those are added at the deal. */
const Acts = ({ document }: { readonly document: Document }) => {
  const { act, isBusy, refusal } = useAct()
  const { id, file_name, status, type, competitor_id, deal_id, parent_id, replaced_by } = document
  if (!may(current().session, deal_id === null ? "library.write" : "deals.documents.write")) return null
  return (
    <span class="acts">
      {status !== "processing" && (
        <button type="button" class="quiet" disabled={isBusy} onClick={() => void act(() => readAgain(document))}>
          {t(status === "failed" ? "library.retry" : "library.again")}
        </button>
      )}
      {competitor_id !== null && parent_id === null && replaced_by === null && (
        <label class="button quiet">
          {t("library.newVersion")}
          <FileInput
            accept={ACCEPTED}
            label={t("library.newVersionOf", { name: file_name })}
            onFiles={(files) => upload(files, { type, competitor_id, replaces: id })}
          />
        </label>
      )}
      <ConfirmButton
        disabled={isBusy}
        quiet
        question={t("library.deleteAsk", { name: file_name })}
        onConfirm={() =>
          void act(async () => {
            await client.library.delete({ id })
            await reloadDocuments()
          })
        }
      >
        {t("delete")}
      </ConfirmButton>
      {refusal !== "" && <Refusal text={refusal} />}
    </span>
  )
}
