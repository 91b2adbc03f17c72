/** "Which calls mention Tallowmark?" */
export interface MentionQuestion {
  /** The kind of document, in the singular and in lower case: "call"; undefined for any document. */
  readonly kind: string | undefined
  /** The words that a document must have; undefined if the question asks for all documents of the kind. */
  readonly words: string | undefined
  /** The question asks for news of all competitors: their newest documents, those of a period if it names one. */
  readonly news?: { readonly unit: "day" | "week" | "month" | "year"; readonly offset: number } | "all" | undefined
}

const KIND = String.raw`(?:loss |win |price )?(?:documents?|docs?|files?|texts?|notes?|materials?|assets?|recordings?|transcripts?|(?:call|meeting) notes?|calls?|meetings?|conversations?|interviews?|battle ?cards?|e-?mails?|notices?)`
const SAYS = String.raw`mention(?:s|ed|ing)?|(?:talk|speak|say something|tell us something)(?:s|ed|ing)? about|discuss(?:es|ed|ing)?|cover(?:s|ed|ing)?|refer(?:s|red|ring)? to|contain(?:s|ed|ing)?|name(?:s|d)?|touch(?:es|ed|ing)? (?:on|upon)|bring(?:s|ing)? up|brought up|spoke about|spoken about|raise(?:s|d)?|deal(?:s|ing)? with|includ(?:es?|ed|ing)`
const SAID = String.raw`mentioned|discussed|talked about|brought up|raised|named|referred to|covered|come up|came up|comes up|coming up|appear(?:s|ed)?|show(?:s|ed)? up|a topic`
const ASKS = String.raw`(?:please |can you |could you )?(?:which|what|list(?: me)?|show(?: me)?|find(?: me)?|give me|get me|pull(?: up)?|(?:are|is) there|do we have|have we(?: got)?|how many|any)(?: of)?(?: (?:all|any|every|each|the|our|a|an|some|me))*`

const patterns = [
  String.raw`^\W*${ASKS} (?<kind>${KIND})(?: of ours| we have| from our library)?(?: that| which| where (?:somebody|someone|they|we|he|she))?(?: (?:has|have|do|does|did|is|are|was|were|actually|also|even|ever|explicitly))* (?:${SAYS}) (?<words>.+)$`,
  String.raw`^\W*${ASKS} (?<kind>${KIND}) (?:about|on|regarding|concerning) (?<words>.+)$`,
  String.raw`^\W*(?:in|on) (?:which|what)(?: of)?(?: the| our)* (?<kind>${KIND}) (?:is|are|was|were|do|does|did|has|have)(?: we| they| anyone| anybody| someone| somebody| customers?| buyers?)? (?<words>.+?)(?: been)? (?:${SAID})(?: at all)?$`,
  String.raw`^\W*(?:in|on) (?:which|what)(?: of)?(?: the| our)* (?<kind>${KIND}) (?:do|does|did|has|have)? ?(?:we|they|anyone|anybody|someone|somebody|customers?|buyers?|people) (?:${SAYS}) (?<words>.+)$`,
  String.raw`^\W*where (?:is|are|was|were|do|does|did|has|have) (?<words>.+?)(?: been)? (?:${SAID})(?: in (?:the|our) (?<kind>${KIND}))?$`,
  String.raw`^\W*${ASKS} (?<kind>${KIND})(?: (?:do|have) we (?:have|got)| we have| are there| is there| exist| that we have| on file| in (?:the|our) library)*$`,
].map((pattern) => new RegExp(pattern, "iu"))

const UNITS: Readonly<Record<string, "day" | "week" | "month" | "year">> = {
  today: "day",
  week: "week",
  month: "month",
  year: "year",
}
const NEWS =
  /^\W*(?:(?:is|are) there |do we have |have we |(?:show|give|get)(?: me| us)? |what(?:['’]s| is| are) )?(?:any |the |some )?(?:recent |latest |new |competitor |competitive )*(?:news|updates?|intel(?:ligence)?|latest|anything new|new|happening)(?: (?:on|about|from|with|regarding|of|among))(?: (?:all|any|the|our|other))* (?:competitors?|competition|rivals?|market|competitive landscape)(?: (?:from |for |in |of )?(?:(?<which>this|last) (?<unit>week|month|year)|(?<today>today)))?$/iu

const ANY = /^(?:documents?|docs?|files?|texts?|materials?|assets?)$/i
const PLURAL = /(?<=[^s])s$/

/** Reads a question about the documents that have certain words; undefined for any other question. */
export const readMentions = (question: string): MentionQuestion | undefined => {
  const asked = question.trim().replace(/(?<![\s?.!])[\s?.!]+$/, "")
  const news = NEWS.exec(asked)?.groups
  if (news !== undefined) {
    const unit = UNITS[(news["unit"] ?? news["today"] ?? "").toLowerCase()]
    const offset = news["which"]?.toLowerCase() === "last" ? -1 : 0
    return { kind: undefined, words: undefined, news: unit === undefined ? "all" : { unit, offset } }
  }
  for (const pattern of patterns) {
    const groups = pattern.exec(asked)?.groups
    if (groups === undefined) continue
    const { kind = "document", words } = groups
    return { kind: ANY.test(kind) ? undefined : kind.toLowerCase().replace(PLURAL, ""), words: words?.trim() }
  }
  return undefined
}
