import type { FoundName } from "../names/foundNames.ts"
import type { Slots } from "../parse/slots.ts"

const SINGULAR = "(?:deal|opportunity|opp|renewal|expansion|new business|upsell)"
const ARTICLE = String.raw`(?<!\p{L})(?:the|this|that|our)`

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The client of "the Abelund deal", if the question asks for a fact of one deal that it names by its client alone. */
export const clientOfDeal = (question: string, slots: Slots): FoundName | undefined => {
  const { names, asksWhy, counts, rank, isShare, bases, compare, grain } = slots
  const [client, ...others] = names.filter(({ kind }) => kind === "client")
  const asksNumber = counts || isShare || rank !== undefined || grain !== undefined || compare !== undefined
  if (
    client === undefined ||
    others.length > 0 ||
    asksWhy ||
    asksNumber ||
    bases.some((base) => base !== "amount" && base !== "revenue")
  )
    return undefined
  const name = escape(client.said)
  const named = new RegExp(
    String.raw`${ARTICLE} (?:\p{L}+ )?${name} (?:\p{L}+ ){0,3}${SINGULAR}(?!\p{L})|${ARTICLE} (?:\p{L}+ ){0,2}${SINGULAR} (?:with|of|for|at) ${name}`,
    "iu",
  )
  return named.test(question) ? client : undefined
}
