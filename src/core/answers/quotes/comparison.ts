const THAN = /(?<!\p{L})than (?:the |our |your )?(\p{L}+)/iu
const US = /^(?:us|we|ours?|you|yours?)$/
const NO_THING = /^(?:an?|any|one|two|three|four|five|six|ten|half|last|before|ever|usual|expected|it|they|that|this)$/

const thingAfterThan = (text: string): string | undefined => {
  const thing = THAN.exec(text)?.[1]?.toLowerCase()
  return thing === undefined || NO_THING.test(thing) ? undefined : US.test(thing) ? "us" : thing
}

/** "Why do we lose more than last year?": "we tried it last year" says nothing of a change. */
const THAN_BEFORE = /(?<!\p{L})than (?:(?:in )?(?:the )?(?:last|previous|prior)|before|usual|a year|ever)(?!\p{L})/iu
const COMPARES =
  /(?<!\p{L})(?:than|compared|versus|vs|twice|half|grew|grown|rose|risen|fell|fallen|increas\p{L}*|decreas\p{L}*|declin\p{L}*)(?!\p{L})/iu

const RATE = /(?<!\p{L})(?:per|an?|each|every)(?: \p{L}+ (?:and|per))? (hour|day|week|month|quarter|year)(?!\p{L})/giu
const ADVERB = /(?<!\p{L})(hour|dai|week|month|quarter|year)ly(?!\p{L})/giu
const ratesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(RATE), ...text.matchAll(ADVERB)].map(([, unit = ""]) => unit.toLowerCase().replace("dai", "day"))

/** Whether a sentence states a number for the unit of time of the question, if both have one: calls per hour are not those per month. */
export const hasSameRate = (question: string, sentence: string): boolean => {
  const asked = ratesIn(question)
  const said = ratesIn(sentence)
  return asked.length === 0 || said.length === 0 || asked.some((unit) => said.includes(unit))
}

/** Whether a sentence compares with the thing with which the words compare: "Orvanta is cheaper than you" does not say that we are cheaper than Orvanta. */
export const comparesWithSame = (words: string, sentence: string): boolean => {
  if (THAN_BEFORE.test(words) && !COMPARES.test(sentence)) return false
  const asked = thingAfterThan(words)
  const said = thingAfterThan(sentence)
  return asked === undefined || said === undefined || said === asked
}
