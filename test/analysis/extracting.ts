import { makeExtractor, runSteps } from "../../src/core/analysis/extracted/extract.ts"
import { makeSides, type Parties } from "../../src/core/analysis/side/sides.ts"

const named = (id: string, name: string, ...aliases: ReadonlyArray<string>) => ({ id, name, aliases })

const extract = makeExtractor({
  competitors: [named("k1", "Orvanta", "Orvanta Flow"), named("k2", "Summit"), named("k3", "Nova")],
  features: [named("f1", "Single sign-on", "SSO"), named("f2", "Dashboards"), named("f3", "Support portal")],
  reasons: [named("r1", "Price"), named("r2", "Support")],
})

export const sidesOf = (ours: Pick<Parties, "ourNames" | "ourDomains" | "ourPeople">) =>
  makeSides({ ...ours, client: "Hartwell Logistics", clientDomain: "hartwell.example", deal: "Hartwell renewal" })

/** The findings of a document with these paragraphs. */
export const extractFrom = (...paragraphs: ReadonlyArray<string>) => {
  let start = 0
  const elements = paragraphs.map((text) => {
    const element = { kind: "paragraph", text, start, place: { kind: "text" } } as const
    start += text.length + 2
    return element
  })
  return runSteps(extract(elements, sidesOf({ ourNames: ["Acme"], ourDomains: [], ourPeople: [] }))).findings
}

/** The statement of a sentence about a competitor or feature. */
export const effectOf = (sentence: string, name: string) => {
  const found = extractFrom(sentence).find(({ kind, target }) => kind !== "driver" && target.name === name)
  if (found === undefined) throw new Error(`${name} is not found in: ${sentence}`)
  return found.effect
}
