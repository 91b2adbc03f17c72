import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { KEPT_REASONS } from "../../../core/records/log/limits.ts"
import type { ImportSummary } from "../../client/contract/imports.ts"
import { asOperator } from "../connection/operator.ts"
import { print } from "../terminal/output.ts"
import { count, showStatus, statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"

interface UndoInput {
  readonly id: string
  readonly organization: string
  readonly json: boolean
}

/** The undo failed; a later one goes on where it ended. */
export class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

type Undone = NonNullable<ImportSummary["undone"]>

const POLL_MS = 500
/** A day: the undo of an import of a million rows takes minutes, and may wait behind others. */
const MAX_POLLS = 86_400_000 / POLL_MS

/** Undoes an import, waits for the end, and prints what came of it. */
export const undoImport = Effect.fnUntraced(function* ({ id, organization, json }: UndoInput) {
  const undone = yield* asOperator(({ within }) =>
    Effect.gen(function* () {
      const { call } = within(organization)
      yield* call((client, signal) => client.workspace.undoImport({ id }, { signal }))
      for (let polls = 0; polls < MAX_POLLS; polls++) {
        const { undone } = yield* call((client, signal) => client.workspace.getImport({ id }, { signal }))
        if (undone != null && undone.status !== "queued" && undone.status !== "running") return undone
        showStatus(`undoing ${id}: ${count(sum(undone))} rows`)
        yield* Effect.sleep(POLL_MS)
      }
      return yield* new Unfinished({
        message: `the undo of ${id} still runs; GET /import/${id} says when it has ended`,
      })
    }),
  ).pipe(Effect.ensuring(statusLine("")), stopAtSignal("the server goes on with the undo"))
  yield* print(json, undone, linesOf(undone))
  if (undone.status !== "completed") {
    return yield* new Unfinished({
      message: `the undo ended early: ${undone.error ?? undone.status}; run the command again`,
    })
  }
})

const sum = (undone: Undone | null | undefined) =>
  undone == null ? 0 : undone.restored + undone.removed + undone.recreated + undone.kept_count

/** Rows in the text output; JSON has up to a thousand. */
const MAX_SHOWN = 20

const linesOf = ({ restored, removed, recreated, kept_count, kept }: Undone): ReadonlyArray<string> => [
  `${count(restored)} restored, ${count(removed)} removed, ${count(recreated)} created again, ${count(kept_count)} kept`,
  ...kept.slice(0, MAX_SHOWN).map(({ type, id, reason }) => `  ${type} ${id}: ${KEPT_REASONS[reason]}`),
  ...(kept_count > MAX_SHOWN ? [`  and ${count(kept_count - MAX_SHOWN)} more; --json lists the first 1,000`] : []),
]
