/** A name of the workspace. One private character replaces it while words are replaced. */
export const NAME = String.raw`[\u{e000}-\u{f8ff}]`
export const RIVAL = String.raw`[\u{e000}-\u{efff}]`
/** A name that is no competitor: what a competitor does is not how we do against it. */
export const OTHER_NAME = String.raw`[\u{f000}-\u{f8fe}]`
export const WE = String.raw`(?:we|our (?:team|reps|people)|the (?:team|reps))`
export const RIVALS = String.raw`(?:competitor|rival|vendor|competition|company)s?`
export const NEW_CLIENTS = String.raw`(?:(?:customers|clients|logos|accounts) (?:did|have|do) (?:we|i|they) (?:add|added|acquire|acquired|gain|gained|land|landed|bring on|brought on)|new (?:logos|customers|clients|accounts)(?: (?:that )?(?:we )?(?:signed|won|closed|landed|acquired|added|did we (?:sign|win|close|land|add|get)))?)`
export const PERCENT_OF = "(?:percentage|percent|pct|%) of (?:(?:our|the|all) )*"
export const NO_VERB =
  "(?![^?.!;]* (?:is|are|was|were|has|have|had|do|does|did|involv[a-z]*|includ[a-z]*|c[ao]mes?|go|goes|went|by|per|each|with|against)(?![a-z]))"
export const OF_ALL = "(?:(?:of|our|the|all|these|those) )*"

/** A phrase and the words that the parser reads in its place. */
export type Idiom = readonly [pattern: string, replacement: string]
