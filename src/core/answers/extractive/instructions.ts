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
