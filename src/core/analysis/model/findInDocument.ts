import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type DropReason, makeGate } from "../gate/admit.ts"
import { TOPICS } from "../extracted/topics.ts"
import type { Catalogue } from "../extracted/extract.ts"
import type { Found } from "../finding.ts"
import { type Named, NameFinder } from "../find/names.ts"
import { splitWords } from "../find/words.ts"
import type { Utterance } from "../inputs/utterances.ts"
import type { Calls } from "./calls.ts"
import { FindingsForm, Proposal } from "./forms.ts"
import { type Question, shownQuestion } from "../questions/questions.ts"
import { FIND_RULES, QUESTION_RULES } from "./prompts.ts"

/** Names of a kind that a model is shown with each window, and those that the window itself has. */
const MAX_SHOWN_NAMES = 200
/** Findings of one window. */
const MAX_PROPOSALS = 60

const decodeProposals = Schema.decodeUnknownOption(Schema.Struct({ findings: Schema.Array(Schema.Unknown) }))
const decodeProposal = Schema.decodeUnknownOption(Proposal)

export interface FoundInWindow {
  readonly findings: ReadonlyArray<Found>
  readonly dropped: ReadonlyArray<DropReason>
}

/** Makes the reader of windows for a catalogue and the questions that are asked of the deal. */
export const makeWindowReader = (catalogue: Catalogue, questions: ReadonlyArray<Question>) => {
  const admit = makeGate(catalogue, questions)
  // Without questions, the rules and data are as they were, and so are the stored answers.
  const [rules, asked] =
    questions.length === 0
      ? [FIND_RULES, {}]
      : [`${FIND_RULES}\n\n${QUESTION_RULES}`, { questions: questions.map(shownQuestion) }]
  const kinds = (["competitors", "features", "reasons"] as const).map((kind) => ({
    kind,
    entries: catalogue[kind],
    finder: new NameFinder(catalogue[kind], false),
  }))

  const namesFor = (text: string) =>
    Object.fromEntries(
      kinds.map(({ kind, entries, finder }) => {
        const inText = entries.length <= MAX_SHOWN_NAMES ? [] : finder.find(splitWords(text), true)
        const shown = new Set<Named>([...entries.slice(0, MAX_SHOWN_NAMES), ...inText.map(({ entry }) => entry)])
        return [kind, [...shown].map(({ name, aliases }) => (aliases.length === 0 ? name : [name, ...aliases]))]
      }),
    )

  /** Asks the model about one window, and keeps what passes the gate. */
  return Effect.fnUntraced(function* (calls: Calls, document: string, window: ReadonlyArray<Utterance>, body: string) {
    const text = window.map((each) => each.text).join("\n")
    const turns = window.map(({ speaker, side, text }, n) => ({ turn: n + 1, speaker: speaker ?? null, side, text }))
    const question = {
      purpose: "find" as const,
      rules,
      data: { names: { ...namesFor(text), topics: Object.keys(TOPICS) }, ...asked, turns },
      form: FindingsForm,
      document,
      sample: 1,
    }
    const { findings: proposals } = yield* calls.ask(question, decodeProposals)
    const findings: Array<Found> = []
    const dropped: Array<DropReason> = []
    for (const each of proposals.slice(0, MAX_PROPOSALS)) {
      const proposal = Option.getOrUndefined(decodeProposal(each))
      const named = proposal?.turns.flatMap((turn) => window[turn - 1] ?? []) ?? []
      const found = proposal === undefined ? "form" : admit(proposal, named, window, body)
      if (typeof found === "string") dropped.push(found)
      else findings.push(found)
    }
    return { findings, dropped } satisfies FoundInWindow
  })
}
