import { useSignal } from "@preact/signals"
import { CONTENT_TYPES } from "../../client/endpoints.ts"
import { Field, Refusal } from "../common/controls.tsx"
import { Drop } from "../common/files.tsx"
import { hrefOf } from "../common/base.ts"
import { Icon } from "../common/icons.tsx"
import { Notice } from "../common/state.tsx"
import { t, textOr } from "../common/texts.ts"
import { useCompetitors } from "../common/useCompetitors.ts"
import { dismiss, type Upload, upload, uploads } from "./uploads.ts"

export const TYPES = ["intel", "asset"] as const
export const ACCEPTED = Object.keys(CONTENT_TYPES)
  .map((extension) => `.${extension}`)
  .join(",")

/** Adds files about a competitor: dropped, or chosen. */
export const Uploader = ({ competitor }: { readonly competitor: string }) => {
  const { competitors } = useCompetitors()
  const about = useSignal(competitor)
  const type = useSignal<(typeof TYPES)[number]>("intel")
  const refusal = useSignal("")
  const add = (files: ReadonlyArray<File>) => {
    if (files.length === 0) return
    refusal.value = about.value === "" ? t("upload.chooseFirst") : ""
    if (about.value !== "") upload(files, { type: type.value, competitor_id: about.value })
  }
  if (competitors.length === 0)
    return (
      <Notice title={t("upload.noCompetitors")}>
        <p>{t("upload.noCompetitorsHint")}</p>
        <a href={hrefOf("/settings/workspace")}>{t("nav.settings")}</a>
      </Notice>
    )
  return (
    <section class="card">
      <h2>{t("upload.title")}</h2>
      <div class="upload">
        <div class="fields">
          <Field label={t("upload.competitor")}>
            <select
              value={about.value}
              onChange={({ currentTarget: { value } }) => {
                about.value = value
                refusal.value = ""
              }}
            >
              <option value="">{t("upload.choose")}</option>
              {competitors.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <Field label={t("library.type")}>
            <select
              value={type.value}
              onChange={({ currentTarget: { value } }) => (type.value = value === "asset" ? "asset" : "intel")}
            >
              {TYPES.map((each) => (
                <option key={each} value={each}>
                  {t(`documentType.${each}`)}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <Drop accept={ACCEPTED} multiple title={t("upload.drop")} hint={t("upload.formats")} onFiles={add} />
      </div>
      {refusal.value !== "" && <Refusal text={refusal.value} />}
      <Uploads />
    </section>
  )
}

/** The files about a deal, or about competitors, that are being sent and read, and how they ended. */
export const Uploads = ({ deal }: { readonly deal?: string }) => {
  const own = uploads.value.filter((each) => each.deal === deal)
  if (own.length === 0) return null
  return (
    <ul class="rows uploads" aria-live="polite">
      {own.map((each) => (
        <li key={each.key} class="row">
          <Icon name="document" />
          <span class="grow">
            <strong>{each.name}</strong>
            <span class={each.state === "failed" ? "refusal" : "soft"}>{describe(each)}</span>
            {each.warnings?.map(({ message }) => (
              <span key={message} class="soft whole">
                {message}
              </span>
            ))}
          </span>
          {(each.state === "sending" || each.state === "reading") && (
            <progress
              {...(each.progress !== undefined && each.progress > 0 && { value: each.progress })}
              aria-label={t("upload.progress", { name: each.name })}
            />
          )}
          {isEnded(each) && (
            <button
              type="button"
              class="quiet"
              aria-label={t("upload.dismiss", { name: each.name })}
              onClick={() => dismiss(each.key)}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

const isEnded = ({ state }: Upload) => state === "ready" || state === "duplicate" || state === "failed"

const describe = ({ state, stage, reason }: Upload): string =>
  state === "failed" && reason !== undefined
    ? reason
    : state === "reading" && stage !== undefined
      ? textOr(`stage.${stage}`, t("uploadState.reading"))
      : t(`uploadState.${state}`)
