import type { ComponentChildren } from "preact"
import { Icon } from "./icons.tsx"
import { ownPath } from "./links.ts"
import { t } from "./texts.ts"

/** A page of the viewer beside the console's page: a document at a passage, page, row or second. */
export const ViewerPanel = ({
  url,
  name,
  label,
  children,
  onClose,
}: {
  readonly url: string
  readonly name: string
  readonly label: string
  readonly children?: ComponentChildren
  readonly onClose: () => void
}) => {
  const path = ownPath(url)
  return (
    <aside class="source-panel" aria-label={label}>
      <header>
        <strong title={name}>{name}</strong>
        {children}
        <a href={path} target="_blank" rel="noopener" aria-label={t("ask.newTab")} title={t("ask.newTab")}>
          <Icon name="external" />
        </a>
        <button type="button" class="quiet" onClick={onClose} aria-label={t("close")}>
          <Icon name="close" />
        </button>
      </header>
      <iframe key={path} src={path} title={name} />
    </aside>
  )
}
