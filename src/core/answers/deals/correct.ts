import * as Effect from "effect/Effect"
import { findClients, type KnownName, type WorkspaceNames } from "./names.ts"
import { parse } from "./parse.ts"
import type { Today } from "./periods.ts"
import { makePlans } from "./plan.ts"
import type { Unknown } from "./slots.ts"
import { correctSpelling } from "./spelling.ts"

/** Parts of one question that are corrected. */
const MAX_CORRECTIONS = 4

export interface Corrected {
  readonly question: string
  readonly names: WorkspaceNames
  /** Parts that were read as another name, for the answer to say so. */
  readonly read: ReadonlyArray<{ readonly said: string; readonly meant: string }>
  /** A part that can mean several names. */
  readonly ambiguous: ReadonlyArray<Unknown>
}

/** Replaces misspelt names and words of a question by those that they mean. */
export const correctQuestion = Effect.fnUntraced(function* (
  org: string,
  asked: string,
  known: WorkspaceNames,
  today: Today,
) {
  let question = asked
  let names = known
  const clientsMeant: Array<KnownName> = []
  const read: Array<Corrected["read"][number]> = []
  const ambiguous: Array<Unknown> = []
  for (let round = 0; round < MAX_CORRECTIONS; round++) {
    const slots = parse(question, names, today)
    const isAboutDeals = makePlans(slots).length > 0 || slots.names.length > 0 || slots.bases.length > 0
    const unread = slots.unknown.filter(({ said, several }) => several === undefined && question.includes(said))
    if (unread.length === 0) break
    let isChanged = false
    for (const { said, as } of unread) {
      const spelling = correctSpelling(said, names.names)
      if (spelling.meant !== undefined) {
        if (spelling.isName === true) read.push({ said: spelling.said, meant: spelling.meant })
        question = question.replace(spelling.said, spelling.meant)
        isChanged = true
        break
      }
      const isClient = spelling.several === undefined && (isAboutDeals || /^\p{Lu}/u.test(said))
      const clients: ReadonlyArray<KnownName> = isClient ? yield* findClients(org, said) : []
      const [client, ...others] = clients.filter(({ name }) => !names.names.some((each) => each.name === name))
      if (client !== undefined && others.length === 0) {
        clientsMeant.push(client)
        names = { ...known, names: [...known.names, ...clientsMeant] }
        if (!client.name.toLowerCase().startsWith(said.toLowerCase())) read.push({ said, meant: client.name })
        question = question.replace(said, client.name)
        isChanged = true
        break
      }
      const several = spelling.several ?? clients.slice(0, 6).map(({ name }) => name)
      if (several.length > 1) ambiguous.push({ said: spelling.said, as, several })
    }
    if (!isChanged) break
  }
  return { question, names, read, ambiguous } satisfies Corrected
})
