import { signal } from "@preact/signals"
import { client } from "../common/api.ts"
import { Icon } from "../common/icons.tsx"
import { ownPath } from "../common/links.ts"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { may } from "../common/may.ts"
import type { View } from "./view.ts"

type Progress =
  | { readonly state: "running"; readonly percent: number | undefined }
  | { readonly state: "ready"; readonly url: string }
  | { readonly state: "failed"; readonly reason: string }

/** The export of this tab. It goes on while the reader visits other pages. */
const progress = signal<Progress | undefined>(undefined)

const KEPT = "sightline.export"

/** Waits for an export, also for one that the page before a reload started. */
const watch = async (id: string) => {
  progress.value = { state: "running", percent: undefined }
  try {
    const made = await client.waitForExport(id, {
      onProgress: ({ progress: part }) => (progress.value = { state: "running", percent: part || undefined }),
    })
    if (made.download_url === null) throw new Error(t("export.noFile"))
    progress.value = { state: "ready", url: ownPath(made.download_url) }
  } catch (error) {
    progress.value = { state: "failed", reason: (error as Error).message }
  }
  sessionStorage.removeItem(KEPT)
}

const start = async ({ filters, columns }: View) => {
  try {
    const { export_id } = await client.exports.create({ filters, columns })
    sessionStorage.setItem(KEPT, export_id)
    await watch(export_id)
  } catch (error) {
    progress.value = { state: "failed", reason: (error as Error).message }
  }
}

const kept = sessionStorage.getItem(KEPT)
if (kept !== null) void watch(kept)

/** Exports the deals shown, with the columns shown, as CSV. */
export const Export = ({ view, count }: { readonly view: View; readonly count: number }) => {
  if (!may(current().session, "deals.export")) return null
  const now = progress.value
  return (
    <>
      <button type="button" disabled={now?.state === "running" || count === 0} onClick={() => void start(view)}>
        <Icon name="download" />
        {now?.state === "running" ? t("export.running") : t("export.start")}
      </button>
      <span class="export" role="status">
        {now?.state === "running" && (
          <progress {...(now.percent !== undefined && { value: now.percent })} aria-label={t("export.running")} />
        )}
        {now?.state === "ready" && (
          <a class="button" href={now.url} download>
            {t("export.ready")}
          </a>
        )}
        {now?.state === "failed" && <span class="refusal">{now.reason}</span>}
      </span>
    </>
  )
}
