/** The words that deny a part of a question, or leave something out of it. Fragments of patterns, in lower case. */

/** "Didn't", "are not", "never". */
export const DENIES = String.raw`not|(?:with|have|has|had|having)\s+no|never|neither|nor|(?:do|does|did|is|are|was|were|has|have|had|ai)n't`

const EVERY = String.raw`(?:(?:in|for|of|with|by|to|from|against)\s+)?(?:all|anything|anywhere|every(?:thing|where|one|body|\s+\p{L}+)|any(?:one|body))(?:\s+(?:deals?|ones?|of (?:it|them)))?`

/** "Excluding", "apart from", "everything but". */
export const EXCLUDES = String.raw`(?:${EVERY},?\s+)?(?:except(?:ing)?(?:\s+for)?|excluding|excl\.?|ex|outside(?:\s+of)?|without|w\/o|minus|exclude|omit|ignore|disregard|filter out|leave out|take out|remove|other than|besides|(?:apart|aside) from|barring|(?:leaving|taking|stripping) (?:out|aside)|omitting|ignoring|disregarding|not\s+(?:counting|including|incl\.?))|${EVERY}\s+but`

/** Verbs of a deal and what it has: "not owned by", "does not include". */
const HAVING = String.raw`(?:(?:being|been|be|yet)\s+)?(?:owned|held|run|handled|managed|led|covered|involv\p{L}*|includ\p{L}*|contain\p{L}*|featur\p{L}*|have|has|had|having|belong\p{L}*|com(?:e|es|ing)|based|located|assigned|fac(?:e|ed|ing)|me[et]t?|see|seen|mention\p{L}*|about|under)\s+`

/** Before a name that the deals lack. */
export const NOT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:ex-|non[- ]?|(?:(?:${DENIES})\s+(?:${HAVING})?|(?:${EXCLUDES})\s+)(?:(?:counting|including|incl\.?|anything|any|all|those|deals|ones)\s+)?(?:(?:in|to|from|against|by|for|of|with|on)\s+)?(?:the\s+)?)$`,
  "u",
)

const ABSENT = String.raw`(?:(?:is|are|was|were|do|does|did|has|have|had)(?:\s+not|n't)\s+(?:been\s+)?(?:involved|there|present|around|in (?:it|them|the (?:deal|mix|race|running|picture|game|room)s?)|part of (?:it|them)|at the table|compet(?:e|ed|ing)|bid(?:ding)?|taking part|take part|show(?:n|ing)? up|c[oa]m(?:e|ing) up)|(?:is|are|was|were) absent)`

/** "Nimbrel excluded", "those with Sparrowdesk aside", "when Nimbrel is not involved". */
export const NOT_AFTER = new RegExp(
  String.raw`^(?:(?: (?:deals|ones|business))?,? (?:(?:is|are|being|deals) )?(?:excluded|excepted|aside|left out|not (?:counted|included))|\s+${ABSENT})(?![\p{L}\p{N}])`,
  "u",
)

/** Before a condition that the deals do not meet: "excluding deals under 10k", "ignoring all overdue ones". */
export const LEFT_OUT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${EXCLUDES})\s+(?:(?:all|any|anything|everything|the|those|deals|ones|opportunities|opps|amounts|values|that (?:are|were)|which (?:are|were)|with(?: (?:an )?amounts?)?|worth|of|for)\s+)*$`,
  "u",
)
