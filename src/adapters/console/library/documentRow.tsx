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
  isAtDeal = false,
}: {
  readonly document: Document
  /** Without what may be done with it. */
  readonly isBrief?: boolean
  /** On the page of its deal, which it need not name. */
  readonly isAtDeal?: boolean
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
        <span class="soft">{withDots(listFacts(document, competitor, isAtDeal))}</span>
        {failure_reason !== null && <span class="refusal whole">{failure_reason}</span>}
        <Warnings warnings={document.warnings} />
      </span>
      <span class={`badge ${BADGES[status]}`}>{t(`documentStatus.${status}`)}</span>
      {!isBrief && <Acts document={document} isAtDeal={isAtDeal} />}
    </li>
  )
}

const BADGES = { processing: "open", ready: "won", failed: "lost" } as const

const listFacts = (
  document: Document,
  competitor: string | undefined,
  isAtDeal: boolean,
): ReadonlyArray<ComponentChildren> => [
  ...(document.deal_id === null
    ? [competitor, t(`documentType.${document.type}`)]
    : [!isAtDeal && <a href={dealHref(document.deal_id)}>{t("library.ofDeal")}</a>]),
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

/** The place of a new version of the document. */
const placeOf = ({ type, competitor_id, deal_id }: Document) =>
  deal_id !== null ? { deal_id } : competitor_id !== null ? { type, competitor_id } : undefined

const Acts = ({ document, isAtDeal }: { readonly document: Document; readonly isAtDeal: boolean }) => {
  const { act, isBusy, refusal } = useAct()
  const { id, file_name, status, deal_id, parent_id, replaced_by } = document
  const { session } = current()
  const mayChange = may(session, "library.write")
  const mayAdd = deal_id === null ? mayChange : may(session, "deals.documents.write")
  const page = isAtDeal && deal_id !== null ? deal_id : undefined
  const place = parent_id === null && replaced_by === null && mayAdd ? placeOf(document) : undefined
  return (
    <span class="acts">
      {mayChange && status !== "processing" && (
        <button type="button" class="quiet" disabled={isBusy} onClick={() => void act(() => readAgain(document, page))}>
          {t(status === "failed" ? "library.retry" : "library.again")}
        </button>
      )}
      {place !== undefined && (
        <label class="button quiet">
          {t("library.newVersion")}
          <FileInput
            accept={ACCEPTED}
            label={t("library.newVersionOf", { name: file_name })}
            onFiles={(files) => upload(files, { ...place, replaces: id }, page)}
          />
        </label>
      )}
      {mayChange && (
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
      )}
      {refusal !== "" && <Refusal text={refusal} />}
    </span>
  )
}
