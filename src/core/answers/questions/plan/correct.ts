import * as Effect from "effect/Effect"
import { editDistance } from "../../../common/nearest.ts"
import type { Effort } from "../names/Effort.ts"
import { findClients } from "../names/loadNames.ts"
import { withNames } from "../names/nameIndex.ts"
import type { KnownName, WorkspaceNames } from "../words/names.ts"
import { parse } from "../parse/parse.ts"
import type { Today } from "../words/periods.ts"
import { makePlans } from "./plan.ts"
import type { Unknown } from "../names/foundNames.ts"
import type { Slots } from "../parse/slots.ts"
import { correctSpelling, type Spelling } from "../names/spelling.ts"

/** Parts of one question that are corrected. */
const MAX_CORRECTIONS = 4

export interface Corrected {
  readonly question: string
  readonly names: WorkspaceNames
  /** Parts that were replaced by the name that they mean. */
  readonly replaced: ReadonlyArray<{ readonly said: string; readonly meant: string }>
  /** Those of them that were misspelt, for the answer to say so. */
  readonly read: ReadonlyArray<{ readonly said: string; readonly meant: string }>
  /** Whether the question is another one than was asked. */
  readonly isCorrected: boolean
  /** A part that can mean several names. */
  readonly ambiguous: ReadonlyArray<Unknown>
}

/** Letters that may be wrong in the whole name of a client. */
const MAX_WRONG = 2

/** The one client whose whole name a part has, but for few letters: "Kelbrok Hotels meeting" means Kelbrook Hotels. */
const closest = (said: string, clients: ReadonlyArray<KnownName>, effort: Effort) => {
  const words = said.split(/\s+/)
  const found = clients.flatMap((client) => {
    const length = client.name.split(/\s+/).length
    const parts = words.map((_, n) => words.slice(n, n + length).join(" "))
    const part = parts.find(
      (each) =>
        each.length > 4 &&
        effort.compares() &&
        editDistance(each.toLowerCase(), client.name.toLowerCase()) <= MAX_WRONG,
    )
    return part === undefined ? [] : [{ client, part }]
  })
  return found.length === 1 ? found[0] : undefined
}

/** Runs the effect once for each text. */
const remember = <A, E, R>(run: (text: string) => Effect.Effect<A, E, R>) => {
  const found = new Map<string, A>()
  return (text: string) =>
    found.has(text)
      ? Effect.succeed(found.get(text) as A)
      : Effect.tap(run(text), (value) => Effect.sync(() => found.set(text, value)))
}

/** A client's name is written with a capital; a word in lower case is one only if it begins the name. */
const findLikely = (said: string, clients: ReadonlyArray<KnownName>) =>
  /\p{Lu}/u.test(said) ? clients : clients.filter(({ name }) => name.toLowerCase().startsWith(`${said.toLowerCase()} `))

/** Parts that are no misspellings: the question was understood, and cannot be answered. */
const UNDERSTOOD: ReadonlySet<Unknown["as"]> = new Set(["conflict", "future", "foreign", "unfit", "quota"])

const concernsDeals = (slots: Slots): boolean =>
  makePlans(slots).length > 0 || slots.names.length > 0 || slots.bases.length > 0

/** "Dana" of "Dana Grabowski" is a first name, and no misspelling of a thing. */
const isOfPerson = (question: string, { said, meant }: Spelling, { names }: WorkspaceNames): boolean => {
  if (!/^\p{Lu}\p{Ll}+$/u.test(said)) return false
  const behind = /^ (\p{Lu}[\p{L}'’-]+)/u.exec(question.slice(question.indexOf(said) + said.length))?.[1]
  const owners = names.filter(({ kind }) => kind === "owner")
  return (
    behind !== undefined &&
    owners.some(({ name }) => name.endsWith(` ${behind.replace(/['’]s$/, "")}`)) &&
    !names.some(({ name, kind }) => name === meant && kind === "owner")
  )
}

/** "Bastian Grabowsky": the word beside a misspelt part says which of several people is meant. */
const besideFirstName = (question: string, { said, several = [] }: Spelling): Spelling | undefined => {
  const at = question.indexOf(said)
  const before = /(\p{L}[\p{L}'’-]*) $/u.exec(question.slice(Math.max(0, at - 60), at))?.[1]
  const behind = /^ (\p{L}[\p{L}'’-]*)/u.exec(question.slice(at + said.length, at + said.length + 60))?.[1]
  const fits = (name: string, part: string, isFirst: boolean) =>
    isFirst
      ? name.toLowerCase().startsWith(`${part.toLowerCase()} `)
      : name.toLowerCase().endsWith(` ${part.toLowerCase()}`)
  for (const [part, isFirst] of [
    [before, true],
    [behind, false],
  ] as const) {
    const meant = part === undefined ? [] : several.filter((name) => fits(name, part, isFirst))
    if (part !== undefined && meant.length === 1)
      return { said: isFirst ? `${part} ${said}` : `${said} ${part}`, meant: meant[0]!, isName: true }
  }
  return undefined
}

const spell = (question: string, said: string, names: WorkspaceNames, effort: Effort): Spelling => {
  const spelling = correctSpelling(said, names.names, effort)
  const person = besideFirstName(question, spelling)
  if (person !== undefined) return person
  return isOfPerson(question, spelling, names) ? { said: spelling.said } : spelling
}

/** Replaces misspelt names and words of a question by those that they mean. */
export const correctQuestion = Effect.fnUntraced(function* (
  org: string,
  asked: string,
  known: WorkspaceNames,
  today: Today,
  effort: Effort,
) {
  const clientsLike = remember((said: string) => findClients(org, said))
  let question = asked
  let names = known
  const clientsMeant: Array<KnownName> = []
  const replaced: Array<Corrected["replaced"][number]> = []
  const read: Array<Corrected["read"][number]> = []
  const ambiguous: Array<Unknown> = []
  for (let round = 0; round < MAX_CORRECTIONS; round++) {
    yield* Effect.yieldNow
    const slots = parse(question, names, today)
    const isAboutDeals = concernsDeals(slots)
    const unread = slots.unknown.filter(
      ({ said, as, several }) => several === undefined && !UNDERSTOOD.has(as) && question.includes(said),
    )
    if (unread.length === 0) break
    yield* Effect.yieldNow
    let isChanged = false
    for (const { said, as } of unread) {
      if (!effort.considers(said)) break
      const spelling = spell(question, said, names, effort)
      if (spelling.meant !== undefined) {
        const replacement = { said: spelling.said, meant: spelling.meant }
        if (spelling.isName === true) read.push(replacement)
        if (spelling.isName === true) replaced.push(replacement)
        question = question.replace(spelling.said, spelling.meant)
        isChanged = true
        break
      }
      const isClient = spelling.several === undefined && (isAboutDeals || /^\p{Lu}/u.test(said))
      const clients: ReadonlyArray<KnownName> = isClient ? yield* clientsLike(said) : []
      const close = closest(said, clients, effort)
      const similar = close === undefined ? findLikely(said, clients) : [close.client]
      const [client, ...others] = similar.filter(({ name }) => !names.names.some((each) => each.name === name))
      if (client !== undefined && others.length === 0) {
        clientsMeant.push(client)
        names = { ...known, names: withNames(known.names, clientsMeant) }
        if (!client.name.toLowerCase().startsWith(said.toLowerCase())) read.push({ said, meant: client.name })
        const part = close?.part ?? said
        replaced.push({ said: part, meant: client.name })
        question = question.replace(part, client.name)
        isChanged = true
        break
      }
      const several = spelling.several ?? similar.slice(0, 6).map(({ name }) => name)
      if (several.length > 1) ambiguous.push({ said: spelling.said, as, several })
    }
    if (!isChanged) break
  }
  return { question, names, replaced, read, ambiguous, isCorrected: question !== asked } satisfies Corrected
})
