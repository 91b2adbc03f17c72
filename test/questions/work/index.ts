import { age } from "./age.ts"
import { ambiguous } from "./ambiguous.ts"
import { asked } from "./asked.ts"
import { average } from "./average.ts"
import { brief } from "./brief.ts"
import { compared } from "./compared.ts"
import { count } from "./count.ts"
import { cycle } from "./cycle.ts"
import { documents } from "./documents.ts"
import { features } from "./features.ts"
import { filters } from "./filters.ts"
import { followUp } from "./followUp.ts"
import { greeting } from "./greeting.ts"
import { grouped } from "./grouped.ts"
import { language } from "./language.ts"
import { library } from "./library.ts"
import { misspelt } from "./misspelt.ts"
import { ranked } from "./ranked.ts"
import { rate } from "./rate.ts"
import { reasons } from "./reasons.ts"
import { score } from "./score.ts"
import { share } from "./share.ts"
import { sum } from "./sum.ts"
import { trend } from "./trend.ts"
import { unanswerable } from "./unanswerable.ts"
import type { Question } from "../question.ts"

export const work: ReadonlyArray<Question> = [
  ...count,
  ...sum,
  ...average,
  ...rate,
  ...grouped,
  ...ranked,
  ...compared,
  ...trend,
  ...share,
  ...cycle,
  ...age,
  ...score,
  ...reasons,
  ...features,
  ...filters,
  ...followUp,
  ...misspelt,
  ...ambiguous,
  ...language,
  ...greeting,
  ...brief,
  ...documents,
  ...library,
  ...unanswerable,
  ...asked,
]
