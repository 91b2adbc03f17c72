import { Notice } from "../common/state.tsx"
import { t, textOr } from "../common/texts.ts"
import { QuoteOf } from "./quotes.tsx"
import type { WholeDeal } from "./wholeDeal.ts"

/** The deal's summary: an object of sections, a text of an older one, or null before the analysis. */
export const Story = ({ deal: { id, summary } }: { readonly deal: WholeDeal }) => (
  <section class="card story">
    <h2>{t("deal.story")}</h2>
    {summary === null || summary === undefined ? (
      <Notice title={t("deal.noStory")} />
    ) : typeof summary === "object" && !Array.isArray(summary) ? (
      Object.entries(summary).map(([name, value]) =>
        value === null || (Array.isArray(value) && value.length === 0) ? null : (
          <div key={name}>
            <h3>{textOr(`section.${name}`, name.replaceAll("_", " "))}</h3>
            <Value deal={id} value={value} />
          </div>
        ),
      )
    ) : (
      <Value deal={id} value={summary} />
    )}
  </section>
)

const Value = ({ deal, value }: { readonly deal: string; readonly value: unknown }) => {
  if (Array.isArray(value))
    return (
      <ul>
        {value.map((each, index) => (
          <li key={index}>
            <Value deal={deal} value={each} />
          </li>
        ))}
      </ul>
    )
  if (typeof value !== "object" || value === null) return <p>{String(value)}</p>
  const { quote, speaker, ...rest } = value as Readonly<Record<string, unknown>>
  if (typeof quote === "string")
    return (
      <blockquote>
        <QuoteOf deal={deal} quote={quote} />
        {typeof speaker === "string" && <cite>{speaker}</cite>}
      </blockquote>
    )
  return (
    <dl class="facts">
      {Object.entries(rest).map(([name, each]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            <Value deal={deal} value={each} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
