import * as Effect from "effect/Effect"
import { Database } from "../../../storage/Database.ts"
import { asText } from "../../citations/markdown.ts"
import type { Kind, WorkspaceNames } from "../words/names.ts"
import { writeCount } from "../words/numbers.ts"
import { writeQuestions } from "./refusal.ts"

const GREETING =
  /^\W*(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|morning|howdy|yo|greetings|how are you(?: doing)?(?: today)?|hallo|guten (?:tag|morgen|abend)|moin|servus|hola|buenos d[ií]as|buenas(?: tardes)?|bonjour|salut)(?: there| everyone| all| sightline)?\W*)+$/iu
const THANKS =
  /^\W*(?:(?:(?:many )?thanks?(?: you| a lot| so much| very much| a million)*|thx|ty|cheers|great|perfect|cool|nice|awesome|super|alright|got it|good to know|that helps|bye|goodbye|see you|ok(?:ay)?|danke(?: sch[öo]n)?|vielen dank|tsch[üu]ss|gracias|muchas gracias|adi[óo]s|merci(?: beaucoup)?)\W*)+$/iu
const HELP =
  /\b(?:what (?:can|do|could) (?:you|i) (?:do|ask|know|answer)|what can (?:you help|i ask|this)|who are you|what are you|^\W*(?:please |can you )*help me\W*$|how (?:does this|do you) work|how can you help|what is (?:this|in here)|what(?:'s| is) in (?:here|there|(?:this|the) (?:workspace|tool|database|data))|what else can (?:you|i)|what(?: (?:data|information|kind of data|sort of data))? do you (?:have|know|hold|cover)|(?:good|useful|interesting|first) (?:first )?questions?|what (?:should|shall|could|might) i ask|where (?:do|should|can) i (?:start|begin)|get(?:ting)? (?:me )?started|show me around|i(?:'m| am) new(?: here)?(?=\W*$)|how do i use|what are you able|examples? of (?:questions|what)|was kannst du|was k[öo]nnen sie|qu[ée] puedes hacer|que peux-tu faire|que pouvez-vous faire)\b|^\W*help\W*$/iu

export type Courtesy = "greeting" | "thanks" | "help"

/** Whether a message asks for nothing in the workspace. */
export const findCourtesy = (message: string): Courtesy | undefined =>
  GREETING.test(message) ? "greeting" : THANKS.test(message) ? "thanks" : HELP.test(message) ? "help" : undefined

interface Holdings {
  readonly deals: number
  readonly documents: number
  readonly first: string | null
  readonly last: string | null
}

/** Says what the workspace has, and three questions that run, made of its own names. */
export const describeWorkspace = Effect.fnUntraced(function* (
  org: string,
  { names, timezone }: WorkspaceNames,
  courtesy: Courtesy,
) {
  const { scoped, sql } = yield* Database
  const [row] = yield* scoped<Holdings>(
    org,
    sql`select (select count(*)::float8 from deals where org_id = scope.org) as deals,
      (select count(*)::float8 from documents where org_id = scope.org) as documents,
      (select to_char(min(created_at) at time zone ${timezone}, 'YYYY-MM-DD') from deals where org_id = scope.org) as first,
      (select to_char(max(created_at) at time zone ${timezone}, 'YYYY-MM-DD') from deals where org_id = scope.org) as last`,
  )
  const { deals = 0, documents = 0, first = null, last = null } = row ?? {}
  const of = (kind: Kind) => names.filter((each) => each.kind === kind).map(({ name }) => name)
  const some = (kind: Kind, one: string, many = `${one}s`) => {
    const all = of(kind)
    return all.length === 0
      ? []
      : [
          `${writeCount(all.length, one, many)} (${all.slice(0, 3).map(asText).join(", ")}${all.length > 3 ? ", …" : ""})`,
        ]
  }
  const span = first === null || last === null ? "" : `, created from ${first} to ${last}`
  const holds = [
    writeCount(deals, "deal") + span,
    writeCount(documents, "document"),
    ...some("competitor", "competitor"),
    ...some("region", "region"),
    ...some("product", "product"),
    ...some("feature", "feature"),
    ...some("reason", "reason"),
  ]
  const [competitor, region] = [of("competitor")[0], of("region")[0]]
  const questions = [
    competitor === undefined ? "What is our win rate?" : `What is our win rate against ${competitor}?`,
    region === undefined ? "What is our pipeline by stage?" : `Why do we lose in ${region}?`,
    of("owner").length > 0 ? "Who are the top 5 reps by revenue this year?" : "What are the ten biggest open deals?",
  ]
  const opening = { greeting: "Hello.", thanks: "You are welcome.", help: "I answer from this workspace." }[courtesy]
  return `${opening} This workspace holds ${holds.join("; ")}.\n\n${writeQuestions(questions)}`
})
