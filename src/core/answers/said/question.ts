/** "What did the buyer say about price in the Harbor deal?" */
export interface SaidQuestion {
  /** Undefined: anyone. */
  readonly side: "buyer" | "seller" | undefined
  readonly topic: string
  /** Words of the deal's or the client's name. */
  readonly deal: string
}

const SAY =
  "say|said|think|thought|mention|mentioned|tell(?: us)?|told(?: us)?|complain|complained|like|dislike|want|wanted|ask|asked|hear|heard"
const BUYER = "buyers?|customers?|clients?|prospects?|they|he|she"
const SELLER = "sellers?|reps?|we|our (?:team|rep|side)|account executive"

const QUESTION = new RegExp(
  String.raw`^\W*what (?:exactly )?(?:did|do|does|has|have|was|were|is) (?:(?:the|our) )?(?:(${BUYER})|(${SELLER})|anyone|anybody|people)?\s*(?:actually |ever )?(?:${SAY}) (?:to us )?(?:about|of|on|regarding|concerning) (.{2,80}?) (?:in|on|for|during|with|at) (?:the |our |this )?(.{2,120}?)\s*(?:deal|opportunity|opp|account|calls?|negotiations?)?\s*[?.!]*$`,
  "i",
)

/** Reads a question about what a side said of something in one deal; undefined for any other question. */
export const readSaid = (question: string): SaidQuestion | undefined => {
  const found = QUESTION.exec(question)
  if (found === null) return undefined
  const [, buyer, seller, topic = "", deal = ""] = found
  return {
    side: buyer !== undefined ? "buyer" : seller !== undefined ? "seller" : undefined,
    topic: topic.replace(/^(?:the|our|your|their|its)\s+/i, "").trim(),
    deal: deal.trim(),
  }
}
