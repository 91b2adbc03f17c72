import type { ComponentChildren } from "preact"
import { GRAINS } from "../../../core/reports/dimensions.ts"
import { COMPARISONS, MAX_DIMENSIONS, MAX_MEASURES } from "../../../core/reports/limits.ts"
import { may } from "../common/may.ts"
import { current } from "../common/session.ts"
import { t } from "../common/texts.ts"
import { FilterChips } from "../deals/filterChips.tsx"
import { baseLabel, dimensionChoices, measureChoices } from "./names.ts"
import { Picker } from "./picker.tsx"
import { baseOf, grainOf, hasPeriod, isDated, type ReportQuery, withSubject } from "./query.ts"

interface Props {
  readonly query: ReportQuery
  readonly onChange: (query: ReportQuery) => void
}

/** Builds the query from lists of names. Each choice applies at once. */
export const Builder = ({ query, onChange }: Props) => {
  const { subject, measures, filters } = query
  const set = (next: Partial<ReportQuery>) => onChange({ ...query, ...next })
  const toggleMeasure = (name: string) => {
    const next = measures.includes(name) ? measures.filter((each) => each !== name) : [...measures, name]
    set({ measures: next, orderBy: undefined, chart: undefined })
  }
  return (
    <section class="card builder" aria-label={t("nav.reports")}>
      {may(current().session, "intelligence.read") && (
        <Line label={t("reports.subject")}>
          <div class="segments" role="group" aria-label={t("reports.subject")}>
            {(["deals", "associations"] as const).map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={subject === each}
                onClick={() => onChange(withSubject(query, each))}
              >
                {t(`reports.${each}`)}
              </button>
            ))}
          </div>
        </Line>
      )}
      <Line label={t("reports.measures")}>
        <Picker
          chosen={measures}
          choices={measureChoices(subject)}
          least={1}
          most={MAX_MEASURES}
          add={t("reports.addMeasure")}
          onToggle={toggleMeasure}
        />
      </Line>
      <Line label={t("reports.groups")}>
        <Groups query={query} onChange={onChange} />
      </Line>
      <Line label={t("reports.filters")}>
        <FilterChips filters={filters} onChange={(filters) => set({ filters })} />
      </Line>
      <Line label={t("reports.compare")}>
        <Comparisons query={query} onChange={onChange} />
      </Line>
    </section>
  )
}

const Line = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <div class="builder-line">
    <span class="soft">{label}</span>
    {children}
  </div>
)

/** The dimensions. A date has a grain, which starts as the quarter. */
const Groups = ({ query, onChange }: Props) => {
  const { subject, groupBy } = query
  const set = (groupBy: ReadonlyArray<string>) => onChange({ ...query, groupBy, orderBy: undefined, chart: undefined })
  const toggle = (name: string) => {
    const rest = groupBy.filter((each) => baseOf(each) !== name)
    set(rest.length < groupBy.length ? rest : [...groupBy, isDated(name) ? `${name}.quarter` : name])
  }
  return (
    <Picker
      chosen={groupBy.map(baseOf)}
      choices={dimensionChoices(subject)}
      most={MAX_DIMENSIONS}
      add={t("reports.addGroup")}
      onToggle={toggle}
    >
      {(name) =>
        isDated(name) && (
          <select
            aria-label={t("reports.grain", { name: baseLabel(name) })}
            value={grainOf(groupBy.find((each) => baseOf(each) === name) ?? "")}
            onChange={({ currentTarget: { value } }) =>
              set(groupBy.map((each) => (baseOf(each) === name ? `${name}.${value}` : each)))
            }
          >
            {GRAINS.map((grain) => (
              <option key={grain} value={grain}>
                {t(`grain.${grain}`)}
              </option>
            ))}
          </select>
        )
      }
    </Picker>
  )
}

const Comparisons = ({ query, onChange }: Props) => {
  const isPossible = hasPeriod(query.filters)
  const chosen = isPossible ? query.compare : undefined
  return (
    <div class="segments" role="group" aria-label={t("reports.compare")}>
      {([undefined, ...COMPARISONS] as const).map((each) => (
        <button
          key={each ?? "none"}
          type="button"
          aria-pressed={chosen === each}
          disabled={!isPossible && each !== undefined}
          title={isPossible ? undefined : t("reports.needsPeriod")}
          onClick={() => onChange({ ...query, compare: each })}
        >
          {t(each === undefined ? "reports.noCompare" : `reports.${each}`)}
        </button>
      ))}
    </div>
  )
}
