const THAN = /(?<!\p{L})than (?:the |our |your )?(\p{L}+)/iu
const US = /^(?:us|we|ours?|you|yours?)$/
const NO_THING = /^(?:an?|any|one|two|three|four|five|six|ten|half|last|before|ever|usual|expected|it|they|that|this)$/

const thingAfterThan = (text: string): string | undefined => {
  const thing = THAN.exec(text)?.[1]?.toLowerCase()
  return thing === undefined || NO_THING.test(thing) ? undefined : US.test(thing) ? "us" : thing
}

/** Whether a sentence compares with the thing with which the words compare: "Orvanta is cheaper than you" does not say that we are cheaper than Orvanta. */
export const comparesWithSame = (words: string, sentence: string): boolean => {
  const asked = thingAfterThan(words)
  const said = thingAfterThan(sentence)
  return asked === undefined || said === undefined || said === asked
}
