import type { FieldClaims } from "./judge.ts"
import { ENGLISH_DOCUMENTS } from "./tuning/englishDocuments.ts"
import { ENGLISH_NOTES } from "./tuning/englishNotes.ts"
import { FRENCH_AND_SPANISH } from "./tuning/frenchAndSpanish.ts"
import { GERMAN } from "./tuning/german.ts"

/** The set that the rules of the verifier are tuned on. */
export const TUNING: ReadonlyArray<FieldClaims> = [
  ...ENGLISH_DOCUMENTS,
  ...ENGLISH_NOTES,
  ...GERMAN,
  ...FRENCH_AND_SPANISH,
]
