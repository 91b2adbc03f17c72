import { JUDGED } from "./feedbackIdioms.ts"
import type { Idiom } from "./idiomParts.ts"

const FISCAL_PART = "(?:FY|fy) ?\\d\\d|20\\d\\d|[Qq][1-4] (?:20\\d\\d|(?:FY|fy) ?\\d\\d)"
/** Words for what is compared. */
const MEASURE =
  "(?<![A-Za-z])(?:how (?:many|much)|numbers?|counts?|wins|losses|values?|amounts?|sizes?|cycles?|revenue|pipeline|mentions|average|median|ages?)(?![A-Za-z])"
/** Phrases that both readers read in other words: verbs that only link the subject with ourselves, and periods that are compared. */
export const SHARED: ReadonlyArray<Idiom> = [
  ...JUDGED,
  // A reason that works for us is on our side.
  [
    "(?<=(?:who|that|people|reps?|sellers?|everyone|anyone) )(?:works?|working) (?:here|for us|with us)|in our (?:team|company)",
    "",
  ],
  ["([Ll]ast|[Tt]his|[Nn]ext|[Pp]revious|[Pp]rior|[Cc]urrent) (?:fy|FY)", "$1 fiscal year"],
  ["[Nn]ew[ -]biz", "New business"],
  [
    "^[Hh]ead[- ]to[- ]head(?: (?:win )?(?:records?|rates?|results?))?(?: (?:between|of|with|against|for|on|versus|vs\\.?)|:)?(?= )",
    "win rate against",
  ],
  [`(?<=${MEASURE}[^?]* )[Hh]ead[- ]to[- ]head|(?<=\\S )[Hh]ead[- ]to[- ]head(?=[^?]* ${MEASURE})`, "compared"],
  ["(?<=\\S )[Hh]ead[- ]to[- ]head(?: (?:win )?(?:records?|rates?|results?))?", "win rate"],
  [
    "(?:[Ll]ive|[Aa]live|[Aa]ctive|[Oo]utstanding|[Pp]ending|[Oo]ngoing)(?= (?:deals?|opps?|opportunit(?:y|ies))(?![a-z]))",
    "open",
  ],
  // Deals that we work on are open.
  [
    "(deals|opps|opportunities) (?:are|am) (we|i|they|you) (?:currently |still |actively |now )?(?:in|working(?: on)?|pursuing|chasing|competing (?:in|for)|involved in)(?= (?:against|with|versus|vs|right|at the moment|now|today|where)(?![a-z])|\\W*$)",
    "open $1 do $2 have",
  ],
  [
    "(?<=[Hh]ow many )((?:deals|opps|opportunities) do (?:we|i|they|you) have)(?=(?:(?! (?:won|lost|open|closed|decided|overdue)(?![a-z]))[^?.,])*(?: right now| at the moment| at present| currently)(?![a-z]))",
    "open $1",
  ],
  ["[Aa]s (?:of|on|at) (?:today|now|this moment)", ""],
  ["(?:[Rr]un|[Ww]alk|[Tt]ake|[Tt]alk) me through", "show"],
  ["add(?:s|ed)? up to", "total"],
  // The deals narrow the customers that are ranked.
  [
    "(?:(?:[Ww]hich|[Ww]hat|[Ww]ho) (?:are|is) )?(?:[Oo]ur |[Tt]he )*(?:[Tt]op|[Bb]iggest|[Ll]argest|[Kk]ey|[Mm]ain)( \\d{1,2}| three| five| ten)? (customers|clients|accounts) (?:with|that have|who have|having) (overdue|open) (?:deals|opportunities|opps)",
    "which$1 $2 have the highest $3 amount",
  ],
  ["[Pp]ull up", "show"],
  [
    "(?:[Ww]hat|[Ww]hich) features? do (?:our |the )?(?:customers|clients|buyers|prospects|people) (?:ask(?: us)? for|request|want|wish for)(?: the)? most",
    "which features are requested most",
  ],
  ["(?:[Ww]ich|[Ww]hcih|[Ww]hihc)", "which"],
  ["(?:hav|hve)", "have"],
  ["(?<=(?:er|more|less|fewer) )as(?= (?:€|\\$|\\d))", "than"],
  [
    "(?:[Uu]ntil|[Tt]ill)(?= (?:[€$£] ?\\d|\\d[\\d.,]* ?(?:[€$£]|k|m|thousand|million|euros?|dollars?|pounds?|eur|usd|gbp|chf)(?![a-z])))",
    "up to",
  ],
  [
    "(?:(?:that|which) )?(?:can|could|may|might|will) still (?:be )?(?:clos|land|sign)e?(?:d|ed)?(?= (?:in|by|before|during|within|until|this|next) )",
    "open closing",
  ],
  [
    "(?:(?:that|which) )?(?:can|could|may|might|should|will) (?:be )?(?:clos|land|sign)e?(?:d|ed)?(?= (?:in|by|before|during|within|until|this|next) )",
    "closing",
  ],
  // An end that is still to come is that of the running period.
  [
    "(?:[Bb]efore|[Bb]y|[Uu]ntil|[Tt]ill) (?:the )?(?:end of (?:the |this )?(week|month|quarter|year)|(week|month|quarter|year)(?:['’]s)?[- ]end)",
    "by the end of this $1$2",
  ],
  ["(?:[Bb]efore|[Bb]y|[Uu]ntil|[Tt]ill) (?:eoy|EOY)", "by the end of this year"],
  ["(?:[Bb]efore|[Bb]y|[Uu]ntil|[Tt]ill) (?:eoq|EOQ)", "by the end of this quarter"],
  ["(?:[Bb]efore|[Bb]y|[Uu]ntil|[Tt]ill) (?:eom|EOM)", "by the end of this month"],
  [
    "(?:(?:[Ii]n|[Ff]or|[Oo]ver|[Dd]uring) )?(?:[Tt]he )?(?:rest|remainder) of (?:the |this )?(week|month|quarter|year)",
    "from today to the end of this $1",
  ],
  ["(?:of )?all[- ]time(?! (?:record|high|low|best))", ""],
  // What is open is so today.
  [
    "(?<=(?:[Pp]ipeline|[Oo]pen (?:deals|value|amount|opportunities))(?: (?:is|are|do|have|we|worth|got|stands?|standing|valued|at))* )today",
    "",
  ],
  ["end(?:s|ing)? up with us", "do we win"],
  ["ended up with us", "did we win"],
  [
    "([Tt])his (?:fiscal )?(week|month|quarter|year) (?:vs\\.?|versus|against|than|compared (?:to|with)) (?:the )?last(?: one)?(?! (?:\\d|week|month|quarter|year|fiscal))",
    "$1his $2 versus last $2",
  ],
  [
    `(?<=(?:chang|mov|budg|shift|improv|differ|ris|rose|gr[eo]w|f[ae]ll|increas|decreas|drop)[a-z]* )from (${FISCAL_PART}) to (${FISCAL_PART})`,
    "$1 versus $2",
  ],
]
