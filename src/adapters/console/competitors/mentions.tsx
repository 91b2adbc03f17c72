import { useSignal } from "@preact/signals"
import { client } from "../common/api.ts"
import { dealHref } from "../common/links.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"
import type { Finding } from "../deal/analysis.ts"
import { source } from "./source.ts"

/** Each deal is a request. */
const DEALS_AT_ONCE = 12

interface Mention {
  readonly deal: { readonly id: string; readonly name: string }
  readonly finding: Finding
}

interface Looked {
  readonly mentions: ReadonlyArray<Mention>
  readonly deals: number
  readonly hasMore: boolean
}

/** Statements about the competitor in the documents of its latest deals, as their analyses found them. */
const look = async (id: string, size: number, signal: AbortSignal): Promise<Looked> => {
  const query = { competitors: [id], columns: ["name"], sort: "updated_at", page_size: size + 1 } as const
  const deals = await client.deals.list(query, { signal })
  const looked = deals.slice(0, size)
  const analyses = await Promise.all(looked.map((deal) => client.analysis.get({ id: deal.id }, { signal })))
  return {
    mentions: looked.flatMap((deal, index) =>
      analyses[index]!.findings.filter(({ target, state }) => target.id === id && state !== "rejected").map(
        (finding) => ({ deal, finding }),
      ),
    ),
    deals: looked.length,
    hasMore: deals.length > size,
  }
}

/** Quotes of calls, mails and notes that speak of a competitor. */
export const Mentions = ({ id }: { readonly id: string }) => {
  const size = useSignal(DEALS_AT_ONCE)
  const query = useQuery(["mentions", id, size.value], (signal) => look(id, size.value, signal), { keepPrevious: true })
  return (
    <section class="card">
      <h2>{t("competitors.mentions")}</h2>
      <Loaded query={query} lines={5}>
        {({ mentions, deals, hasMore }) => (
          <>
            <p class="soft small">
              {t(mentions.length === 0 ? "competitors.noMentions" : "competitors.lookedIn", { count: deals })}
            </p>
            <ul class="mentions">
              {mentions.map((mention) => (
                <li key={`${mention.deal.id} ${mention.finding.id}`}>
                  <Quote {...mention} />
                </li>
              ))}
            </ul>
            {hasMore && (
              <button type="button" disabled={query.isFetching} onClick={() => (size.value += DEALS_AT_ONCE)}>
                {t("competitors.lookFurther")}
              </button>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const Quote = ({ deal, finding }: Mention) => {
  const { quote, url, speaker, side, document_name } = finding
  return (
    <>
      <button
        type="button"
        class="quote"
        disabled={url === null}
        onClick={() => url !== null && (source.value = { url, name: document_name })}
      >
        {quote}
      </button>
      <p class="soft small">
        {speaker ?? t(`side.${side}`)} · <a href={dealHref(deal.id)}>{deal.name}</a>
      </p>
    </>
  )
}
