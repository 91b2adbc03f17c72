import { signal } from "@preact/signals"
import { type ExportFormat, FORMAT_NAMES } from "../../../core/exports/options.ts"
import { client } from "../common/api.ts"
import { Icon } from "../common/icons.tsx"
import { ownPath } from "../common/links.ts"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { may } from "../common/may.ts"
import type { View } from "./view.ts"

type Progress =
  | { readonly state: "running"; readonly percent: number | undefined }
  | {
      readonly state: "ready"
      readonly url: string
      readonly format: ExportFormat
      readonly warnings: ReadonlyArray<string>
    }
  | { readonly state: "failed"; readonly reason: string }

/** The export of this tab. It goes on while the reader visits other pages. */
const progress = signal<Progress | undefined>(undefined)

/** The format and the id of the export, separated by a space. */
const KEPT = "sightline.export"

const chosen = signal<ExportFormat>("csv")

/** Waits for an export, also for one that the page before a reload started. */
const watch = async (format: ExportFormat, id: string) => {
  progress.value = { state: "running", percent: undefined }
  try {
    const made = await client.waitForExport(id, {
      onProgress: ({ progress: part }) => (progress.value = { state: "running", percent: part || undefined }),
    })
    if (made.download_url === null) throw new Error(t("export.noFile"))
    progress.value = {
      state: "ready",
      url: ownPath(made.download_url),
      format,
      warnings: made.warnings.map(({ message }) => message),
    }
  } catch (error) {
    progress.value = { state: "failed", reason: (error as Error).message }
  }
  sessionStorage.removeItem(KEPT)
}

const start = async ({ filters, columns }: View, format: ExportFormat) => {
  try {
    const { export_id } = await client.exports.create({ filters, columns, format })
    sessionStorage.setItem(KEPT, `${format} ${export_id}`)
    await watch(format, export_id)
  } catch (error) {
    progress.value = { state: "failed", reason: (error as Error).message }
  }
}

const [keptFormat, keptId] = sessionStorage.getItem(KEPT)?.split(" ") ?? []
if (keptId !== undefined) void watch(keptFormat as ExportFormat, keptId)

/** Exports the deals shown, with the columns shown. */
export const Export = ({ view, count }: { readonly view: View; readonly count: number }) => {
  if (!may(current().session, "deals.export")) return null
  const now = progress.value
  return (
    <>
      <select
        aria-label={t("export.format")}
        value={chosen.value}
        onChange={({ currentTarget }) => (chosen.value = currentTarget.value as ExportFormat)}
      >
        {FORMAT_NAMES.map((format) => (
          <option value={format}>{format.toUpperCase()}</option>
        ))}
      </select>
      <button
        type="button"
        disabled={now?.state === "running" || count === 0}
        onClick={() => void start(view, chosen.value)}
      >
        <Icon name="download" />
        {now?.state === "running" ? t("export.running") : t("export.start")}
      </button>
      <span class="export" role="status">
        {now?.state === "running" && (
          <progress {...(now.percent !== undefined && { value: now.percent })} aria-label={t("export.running")} />
        )}
        {now?.state === "ready" && (
          <a class="button" href={now.url} download>
            {t("export.ready", { format: now.format.toUpperCase() })}
          </a>
        )}
        {now?.state === "ready" && now.warnings.map((warning) => <span class="refusal">{warning}</span>)}
        {now?.state === "failed" && <span class="refusal">{now.reason}</span>}
      </span>
    </>
  )
}
