import { t } from "../common/texts.ts"
import { evidence, type Finding, openEvidence, useAnalysis } from "./analysis.ts"

const useFindings = (deal: string): ReadonlyArray<Finding> =>
  useAnalysis(deal).data?.findings.filter(({ state, url }) => state !== "rejected" && url !== null) ?? []

/** Numbered buttons, each of which opens the place of a quote. */
export const Sources = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) => (
  <>
    {findings.map((finding, index) => (
      <button
        key={finding.id}
        type="button"
        class="source"
        disabled={finding.url === null}
        aria-label={t("findings.quoteOf", { number: index + 1, name: finding.document_name })}
        aria-pressed={evidence.value?.id === finding.id}
        title={finding.quote}
        onClick={() => openEvidence(finding)}
      >
        {index + 1}
      </button>
    ))}
  </>
)

/** The quotes that speak of a competitor, feature or reason. */
export const Quotes = ({ deal, target }: { readonly deal: string; readonly target: string }) => (
  <Sources findings={useFindings(deal).filter((finding) => finding.target.id === target)} />
)

/** A quote of the story; a button that opens its place if a document has it. */
export const QuoteOf = ({ deal, quote }: { readonly deal: string; readonly quote: string }) => {
  const finding = useFindings(deal).find((each) => each.quote === quote)
  if (finding === undefined) return <>{quote}</>
  return (
    <button type="button" class="quote plain" onClick={() => openEvidence(finding)}>
      {quote}
    </button>
  )
}
