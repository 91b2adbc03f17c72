import { Field } from "../common/controls.tsx"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { Choice } from "./choice.tsx"
import type { Draft } from "./draft.ts"
import type { Report } from "./run.ts"

/** The rates of the currencies that the plan could not add up. */
export const Rates = ({
  draft,
  report,
  onChange,
}: {
  readonly draft: Draft
  readonly report: Report | undefined
  readonly onChange: (draft: Draft) => void
}) => {
  const { rates, base } = draft
  const own = current().workspace.settings.currency ?? undefined
  const codes = findCodes(report, rates, base)
  const others = codes.filter((code) => code !== (own ?? base))
  if (own === undefined ? codes.length < 2 : others.length === 0) return null
  const currency = own ?? base
  const setRate = (code: string, rate: number) => {
    const { [code]: _, ...rest } = rates
    onChange({ ...draft, rates: rate > 0 ? { ...rest, [code]: rate } : rest })
  }
  return (
    <fieldset class="rates">
      <legend>{t(own === undefined ? "import.severalCurrencies" : "import.rates")}</legend>
      <p class="soft small">{t(own === undefined ? "import.severalHint" : "import.ratesHint")}</p>
      <div class="form">
        {own === undefined && (
          <Choice
            label={t("import.base")}
            value={base}
            none={t("import.choose")}
            options={codes.map((code) => [code, code])}
            onChange={(chosen) => {
              const { base: _, ...rest } = draft
              onChange({ ...rest, rates: {}, ...(chosen !== undefined && { base: chosen }) })
            }}
          />
        )}
        {currency !== undefined &&
          others.map((code) => (
            <Field key={code} label={t("import.rate", { code, currency })}>
              <input
                type="number"
                min={0}
                step="any"
                defaultValue={rates[code]}
                onChange={({ currentTarget }) => setRate(code, currentTarget.valueAsNumber)}
              />
            </Field>
          ))}
      </div>
    </fieldset>
  )
}

/** The codes that the file has beside the workspace's currency: those without a rate yet, and those with one. */
const findCodes = (report: Report | undefined, rates: Draft["rates"], base: string | undefined) => {
  const found = (report?.warnings ?? [])
    .filter(({ code }) => code === "other_currency")
    .flatMap(({ examples }) => examples.filter((each) => /^[A-Z]{3}$/.test(each)))
  return [...new Set([...found, ...Object.keys(rates), ...(base === undefined ? [] : [base])])].toSorted()
}
