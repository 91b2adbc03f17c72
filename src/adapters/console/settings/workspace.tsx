import { client, queries } from "../common/api.ts"
import * as format from "../common/format.ts"
import { Field, Refusal, textsOf } from "../common/controls.tsx"
import { current, signedIn } from "../common/session.ts"
import { language } from "../common/settings.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"
import { useSignal } from "@preact/signals"
import { Names } from "./names.tsx"

const MONTHS = Array.from({ length: 12 }, (_, month) => month + 1)

const monthName = (month: number) =>
  new Intl.DateTimeFormat(language.value, { month: "long", timeZone: "UTC" }).format(Date.UTC(2024, month - 1))

const splitList = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== "")

/** The workspace's name, currency, fiscal year and time zone, and the names of its catalogue. */
export const Workspace = () => {
  const { workspace, session } = current()
  const { settings } = workspace
  const isSaved = useSignal(false)
  const { act, isBusy, refusal } = useAct()
  const save = async (form: HTMLFormElement) => {
    isSaved.value = false
    const {
      name,
      currency,
      fiscal_start,
      timezone,
      our_names,
      our_domains,
      analysis,
      analysis_budget,
      links,
      ...measured
    } = textsOf(form)
    const changed = await client.workspace.update({
      ...(name !== undefined && { name }),
      currency: currency ?? null,
      fiscal_start: Number(fiscal_start),
      timezone: timezone ?? null,
      our_names: splitList(our_names),
      our_domains: splitList(our_domains),
      analysis: analysis === "automatic" ? analysis : "manual",
      analysis_budget: analysis_budget === undefined ? null : Number(analysis_budget),
      links: links === "deals" ? links : "figures",
      renewal_types: splitList(measured.renewal_types),
      no_decision: measured.no_decision ?? null,
    })
    signedIn.value = { session, workspace: { ...workspace, settings: changed } }
    // Periods and amounts of every page depend on the settings.
    await queries.invalidateQueries()
    isSaved.value = true
  }
  return (
    <>
      <section class="card">
        <h2>{t("settings.workspace")}</h2>
        <form
          class="form"
          onInput={() => (isSaved.value = false)}
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            void act(() => save(form))
          }}
        >
          <Field label={t("name")}>
            <input name="name" required maxLength={400} defaultValue={settings.name} />
          </Field>
          <Field label={t("workspace.currency")}>
            <input name="currency" maxLength={3} placeholder="EUR" defaultValue={settings.currency ?? ""} />
          </Field>
          <Field label={t("workspace.fiscalStart")}>
            <select name="fiscal_start">
              {MONTHS.map((month) => (
                <option key={month} value={month} selected={month === settings.fiscal_start}>
                  {monthName(month)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={t("workspace.timezone")}>
            <input
              name="timezone"
              list="timezones"
              maxLength={100}
              placeholder="UTC"
              defaultValue={settings.timezone}
            />
          </Field>
          <datalist id="timezones">
            {Intl.supportedValuesOf("timeZone").map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Field label={t("workspace.ourNames")}>
            <input name="our_names" defaultValue={settings.our_names.join(", ")} />
          </Field>
          <Field label={t("workspace.ourDomains")}>
            <input name="our_domains" defaultValue={settings.our_domains.join(", ")} />
          </Field>
          <Field label={t("workspace.analysis")}>
            <select name="analysis">
              {(["manual", "automatic"] as const).map((each) => (
                <option key={each} value={each} selected={each === settings.analysis}>
                  {t(`workspace.analysis.${each}`)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={t("workspace.budget")}>
            <input
              name="analysis_budget"
              type="number"
              min={0}
              max={2_000_000_000}
              placeholder={t("workspace.noBudget")}
              defaultValue={settings.analysis_budget ?? ""}
            />
          </Field>
          <Field label={t("workspace.links")}>
            <select name="links">
              {(["figures", "deals"] as const).map((each) => (
                <option key={each} value={each} selected={each === settings.links}>
                  {t(`workspace.links.${each}`)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={t("workspace.renewalTypes")}>
            <input name="renewal_types" defaultValue={settings.renewal_types.join(", ")} />
          </Field>
          <Field label={t("workspace.noDecision")}>
            <input name="no_decision" maxLength={400} defaultValue={settings.no_decision ?? ""} />
          </Field>
          <Spending />
          <button class="primary" disabled={isBusy}>
            {t("save")}
          </button>
          <span role="status">{isSaved.value && t("saved")}</span>
        </form>
        <Refusal text={refusal} />
        <p class="soft small">{t("workspace.erase")}</p>
      </section>
      <Names />
    </>
  )
}

/** The costs of this month's analyses. */
const Spending = () => {
  const query = useQuery(["spending"], (signal) => client.analysis.spending(undefined, { signal }))
  return (
    <Loaded query={query} lines={1}>
      {({ month, tokens, cost }) => (
        <p class="soft small">
          {t("workspace.spent", { month, count: format.count(tokens.input + tokens.output) })}
          {cost !== null && ` (${format.dollars(cost)})`}
        </p>
      )}
    </Loaded>
  )
}
