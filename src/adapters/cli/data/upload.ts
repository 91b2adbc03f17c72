import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asOperator } from "../connection/operator.ts"
import { Usage } from "../connection/workspace.ts"
import { print } from "../terminal/output.ts"
import { count, statusLine } from "../terminal/progress.ts"
import { lineOf, type Target, uploadFiles } from "./uploadFiles.ts"
import { watchFolder } from "./watchFolder.ts"

interface UploadInput {
  readonly files: ReadonlyArray<string>
  readonly watch: Option.Option<string>
  readonly organization: string
  readonly deal: Option.Option<string>
  readonly crmOne: Option.Option<string>
  readonly crmTwo: Option.Option<string>
  readonly competitor: Option.Option<string>
  readonly type: Option.Option<"asset" | "intel">
  readonly wait: boolean
  readonly json: boolean
}

/** Some files failed; the report on stdout lists them. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

/** Adds files to a deal or the library; with `wait`, also waits until they are read. */
export const upload = Effect.fnUntraced(function* (input: UploadInput) {
  const { files, watch, organization: org, wait, json } = input
  const target = yield* checkInput(input)
  const send = (paths: ReadonlyArray<string>) =>
    asOperator((operator) =>
      uploadFiles(operator, { org, target, wait, replaces_same_name: Option.isSome(watch) }, paths),
    ).pipe(Effect.ensuring(statusLine("")))
  if (Option.isSome(watch)) {
    yield* asOperator(({ call }) => call((operator, signal) => operator.organizations.find(org, { signal })))
    return yield* watchFolder(watch.value, json, send)
  }
  const outcomes = yield* send(files)
  const failed = outcomes.filter(({ error }) => error !== undefined)
  yield* print(json, { files: outcomes, received: outcomes.length, failed: failed.length }, outcomes.map(lineOf))
  if (failed.length > 0) {
    return yield* new Unfinished({ message: `${count(failed.length)} of ${count(outcomes.length)} files failed` })
  }
})

const checkInput = Effect.fnUntraced(function* ({ files, watch, deal, crmOne, crmTwo, competitor, type }: UploadInput) {
  if (files.length > 0 === Option.isSome(watch)) {
    return yield* new Usage({ message: "give either files or --watch FOLDER" })
  }
  if ([deal, crmOne, crmTwo, competitor].filter(Option.isSome).length !== 1) {
    return yield* new Usage({ message: "give exactly one of --deal, --crm-one, --crm-two and --competitor" })
  }
  if (Option.isSome(competitor) !== Option.isSome(type)) {
    return yield* new Usage({ message: "--type asset|intel goes with --competitor, and --competitor with it" })
  }
  if (Option.isSome(competitor) && Option.isSome(type)) {
    return { type: type.value, competitor: competitor.value } satisfies Target
  }
  if (Option.isSome(deal)) return { deal_id: deal.value } satisfies Target
  if (Option.isSome(crmOne)) return { crm_one_id: crmOne.value } satisfies Target
  return { crm_two_id: Option.getOrElse(crmTwo, () => "") } satisfies Target
})
