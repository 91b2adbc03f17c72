import type { Question } from "../question.ts"
import { investors } from "./investors.ts"
import { leaders } from "./leaders.ts"
import { makers } from "./makers.ts"
import { reps } from "./reps.ts"

/** By the person who asks. */
export const unseen: ReadonlyArray<Question> = [...leaders, ...investors, ...makers, ...reps]
