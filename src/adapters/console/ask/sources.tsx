import { dealHref } from "../common/links.ts"
import { t } from "../common/texts.ts"
import { ViewerPanel } from "../common/viewerPanel.tsx"
import type { Citation } from "./conversation.ts"

export interface OpenSource {
  readonly citation: Citation
  readonly number: number
}

/** The viewer's page of a source, at the cited passage, page, row or second. */
export const SourcePanel = ({ source, onClose }: { readonly source: OpenSource; readonly onClose: () => void }) => {
  const { citation, number } = source
  return (
    <ViewerPanel
      url={citation.url}
      name={`${number} · ${citation.document_name}`}
      label={t("ask.source", { number, name: citation.document_name })}
      onClose={onClose}
    >
      {citation.deal_id !== null && <a href={dealHref(citation.deal_id)}>{t("ask.deal")}</a>}
    </ViewerPanel>
  )
}
