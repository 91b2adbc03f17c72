import { useSignal } from "@preact/signals"
import { loadText } from "../common/api.ts"
import { Icon } from "../common/icons.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { writeCurl, type ReportQuery, writeRequestPath } from "./query.ts"

const COPIED_MS = 2_000

/** The query as a link and as a command, and its table as a file. */
export const Share = ({ query }: { readonly query: ReportQuery }) => {
  const { act, isBusy, refusal } = useAct()
  const download = async () => {
    const url = URL.createObjectURL(
      new Blob([await loadText(writeRequestPath(query), "text/csv")], { type: "text/csv" }),
    )
    const link = Object.assign(document.createElement("a"), { href: url, download: "report.csv" })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <>
      <Copy text={() => location.href}>{t("reports.link")}</Copy>
      <button type="button" popovertarget="curl">
        {t("reports.curl")}
      </button>
      <div id="curl" popover="auto" class="popover command">
        <p class="soft small">{t("reports.curlHint")}</p>
        <pre>{writeCurl(query)}</pre>
        <Copy text={() => writeCurl(query)}>{t("secret.copy")}</Copy>
      </div>
      <button type="button" disabled={isBusy} onClick={() => void act(download)}>
        <Icon name="download" />
        {t("reports.csv")}
      </button>
      {refusal !== "" && <span class="refusal">{refusal}</span>}
    </>
  )
}

const Copy = ({ text, children }: { readonly text: () => string; readonly children: string }) => {
  const isCopied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text())
    isCopied.value = true
    setTimeout(() => (isCopied.value = false), COPIED_MS)
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied.value ? t("reports.copied") : children}
    </button>
  )
}
