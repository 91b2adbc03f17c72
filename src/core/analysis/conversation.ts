import type { Extract } from "./extracted/extract.ts"
import type { Side } from "./finding.ts"

/** The stored talk shares and promises of a deal's documents. */
export interface Conversation {
  readonly talk: ReadonlyArray<{
    readonly document_id: string
    readonly document_name: string
    readonly words: Readonly<Record<Side, number>>
    readonly buyer_share: number | null
    readonly questions: Readonly<Record<Side, number>>
    readonly longest_monologue: {
      readonly speaker: string | null
      readonly side: Side
      readonly words: number
      readonly seconds: number | null
      readonly start: number
      readonly end: number
    } | null
  }>
  readonly next_steps: ReadonlyArray<{
    readonly side: Side
    readonly speaker: string | null
    readonly quote: string
    readonly withdrawn: boolean
    readonly document_id: string
    readonly start: number
    readonly end: number
  }>
}

/** Promises of a deal that are kept. */
const MAX_NEXT_STEPS = 100

/** Joins what was found in each document. */
export const joinConversations = (
  extracts: ReadonlyArray<Pick<Extract, "talk" | "nextSteps"> & { readonly id: string; readonly name: string }>,
): Conversation => ({
  talk: extracts.flatMap(({ id, name, talk }) => {
    if (talk === undefined) return []
    const { words, questions, longest } = talk
    const both = words.buyer + words.seller
    const buyer_share = both === 0 ? null : Math.round((words.buyer / both) * 1000) / 1000
    return [{ document_id: id, document_name: name, words, buyer_share, questions, longest_monologue: longest }]
  }),
  next_steps: extracts
    .flatMap(({ id, nextSteps }) =>
      nextSteps.map(({ isWithdrawn, ...step }) => ({ ...step, withdrawn: isWithdrawn, document_id: id })),
    )
    .slice(-MAX_NEXT_STEPS),
})
