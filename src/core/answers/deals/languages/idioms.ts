import { DEAL_IDIOMS } from "./dealIdioms.ts"
import { FEEDBACK_IDIOMS } from "./feedbackIdioms.ts"
import type { Idiom } from "./idiomParts.ts"
import { NUMBER_IDIOMS } from "./numberIdioms.ts"
import { RIVAL_IDIOMS } from "./rivalIdioms.ts"

/**
 * Phrases of people in sales, in the words that the parser reads. Each keeps the meaning: a phrase that only resembles a known one
 * stays as it is, and is refused.
 */
export const IDIOMS: ReadonlyArray<Idiom> = [...FEEDBACK_IDIOMS, ...DEAL_IDIOMS, ...RIVAL_IDIOMS, ...NUMBER_IDIOMS]
