import { straightenApostrophes } from "../words.ts"

/**
 * Whether a sentence instructs the reader instead of stating a fact: it speaks about the answer, overrides instructions,
 * gives the reader a role, or asks for secrets. Such a sentence is never evidence.
 */
export const isInstruction = (sentence: string): boolean => {
  const text = straightenApostrophes(sentence.toLowerCase())
  return SIGNS.some((sign) => sign.test(text))
}

/** A question states no fact either. */
export const isQuestion = (sentence: string): boolean => /\?["”’)]*$/.test(sentence)

/** Whether a sentence is one that people say in every call: it answers no question. */
export const isSmallTalk = (sentence: string): boolean => SMALL_TALK.test(straightenApostrophes(sentence))

const SMALL_TALK =
  /^\W*(?:(?:so|ok(?:ay)?|well|great|right|perfect|alright|hi|hello|hey|and|yes|no|sure)\W+)*(?:(?:many )?thanks?(?: you)?(?: (?:all|everyone|everybody|both|so much|very much|a lot))?(?: for (?:taking|making|having|joining|coming|your time|the time|being)\b.*| again)?|(?:can|could) (?:everybody|everyone|you(?: all| guys)?) (?:hear|see) (?:me|us|my screen)(?: (?:ok|okay|well|all right|now))?|let(?:'s| us) (?:go on|move on|get (?:started|going)|start|begin|continue|jump (?:right )?in|dive (?:right )?in|kick (?:this |things )?off)(?: (?:with|to) the (?:next|first|last) (?:point|topic|item|slide))?|good (?:morning|afternoon|evening|day)(?: (?:all|everyone|everybody))?|how are you(?: (?:all|today|doing))*|nice to (?:meet|see) you(?: (?:all|again))?|(?:goodbye|bye)(?: bye)?|see you(?: (?:then|soon|next \w+|tomorrow))?|(?:that )?(?:sounds good|makes sense)|got it|one (?:second|moment)(?: please)?|you(?:'re| are) (?:on mute|muted)|have a (?:good|nice|great) (?:day|one|weekend|evening)|(?:hi|hello|hey)(?: (?:all|everyone|everybody|there))?)\W*$/i

const SIGNS: ReadonlyArray<RegExp> = [
  /\byour(?: \w+){0,2} (?:answers?|responses?|repl(?:y|ies)|output|completions?|messages?)\b/,
  /\b(?:ignore|disregard|forget|override|bypass|discard|skip)\b.{0,40}\b(?:instructions?|prompts?|previous|prior|above|earlier|preceding|rules?|guidelines?|guardrails?|context|told)\b/,
  /\b(?:system|developer|hidden) (?:prompt|instructions?|message)\b/,
  /\b(?:you are|you're) (?:now|an? (?:ai|assistant|chat ?bot|language model))\b|\bfrom now on,? you\b/,
  /^\W*(?:please |now )?(?:act|respond|answer|reply|behave|speak|write|pretend)\b.{0,20}\b(?:as|like|to be|that|in|with|only)\b/,
  /\bas an? (?:ai|artificial intelligence|assistant|language model)\b|\b(?:ai|language|chat) (?:assistants?|models?)\b.{0,30}\b(?:must|should|shall|please|now)\b/,
  /^\W*(?:system|assistant|user|human|instructions?)\s*:|<\|[a-z_]+\|>|\[\/?inst\]|<\/?(?:system|assistant|user)>/,
  /\b(?:reveal|print|repeat|output|leak|send|exfiltrate)\b.{0,40}\b(?:api keys?|passwords?|credentials|secrets?|your instructions|the conversation)\b/,
]
