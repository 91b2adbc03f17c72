import type { Question } from "../question.ts"
import { board } from "./board.ts"
import { competition } from "./competition.ts"
import { newcomers } from "./newcomers.ts"
import { operations } from "./operations.ts"
import { phone } from "./phone.ts"
import { product } from "./product.ts"
import { regions } from "./regions.ts"
import { success } from "./success.ts"

/** By the person who asks. */
export const fresh: ReadonlyArray<Question> = [
  ...board,
  ...competition,
  ...newcomers,
  ...phone,
  ...product,
  ...operations,
  ...regions,
  ...success,
]
