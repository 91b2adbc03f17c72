import * as Effect from "effect/Effect"
import type { Side } from "../../analysis/finding.ts"
import { OF_DEAL, PARTIES, type PartiesRow, sidesOf } from "../../analysis/side/parties.ts"
import type { SideOf } from "../../analysis/side/sides.ts"
import { splitSentences } from "../../common/sentences.ts"
import { divideStatements, speakerAt } from "../../search/rows.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import type { Quote } from "../citations/References.ts"
import { isInstruction, isSmallTalk } from "../quotes/instructions.ts"

/** A sentence of a call or of another text with speakers. */
export interface SpokenSentence extends Quote {
  readonly text: string
  readonly speaker: string
  readonly side: Side
}

/** The sentences of passages that have a speaker, without small talk. */
export const findSpoken = (
  passages: ReadonlyArray<Passage>,
  sides: ReadonlyMap<string, SideOf>,
): ReadonlyArray<SpokenSentence> =>
  passages.flatMap((passage) =>
    passage.source === "deal"
      ? []
      : divideStatements(passage, splitSentences).flatMap(({ text, start, end }): ReadonlyArray<SpokenSentence> => {
          const speaker = speakerAt(passage, start)
          if (speaker === undefined || isSmallTalk(text) || isInstruction(text)) return []
          const side = sides.get(passage.dealId ?? "")?.(speaker) ?? "unknown"
          return [{ passage, start, end, text, speaker, side }]
        }),
  )

/** Tells the sides of speakers, by deal. */
export const readSides = Effect.fn("Said.readSides")(function* (org: string, deals: ReadonlyArray<string>) {
  const { scoped, sql } = yield* Database
  const rows = yield* scoped<PartiesRow & { readonly id: string }>(
    org,
    sql`select d.id, ${sql.literal(PARTIES)} from ${sql.literal(OF_DEAL)}
      where d.org_id = scope.org and d.id = any(${[...deals]}::text[])`,
  )
  return new Map(rows.map((row) => [row.id, sidesOf(row)]))
})
