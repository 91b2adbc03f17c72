import * as Effect from "effect/Effect"
import type { AnswerEvent } from "../../src/core/answers/Answerer.ts"
import { CitedTextWriter } from "../../src/core/answers/agent/CitedTextWriter.ts"
import { SourcedNumbers } from "../../src/core/answers/agent/SourcedNumbers.ts"
import { References } from "../../src/core/answers/citations/References.ts"
import type { ReportRows } from "../../src/core/answers/figures/figure.ts"
import { FigureLinks } from "../../src/core/answers/figures/FigureLinks.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { passage } from "./passages.ts"

const ROWS: ReportRows = {
  figure: {
    subject: "deals",
    query: {
      measures: ["win_rate", "won", "lost", "amount_won", "amount_avg", "cycle_days_avg"],
      groupBy: ["competitor"],
      filters: { close_date: { from: "2026-01-01", to: "2026-03-31" } },
      limit: 10,
    },
  },
  report: {
    data: [
      {
        group: { competitor: { id: "orbit", name: "Orbit" } },
        values: { win_rate: 0.4, won: 40, lost: 60, amount_won: 1_250_000, amount_avg: 31_250, cycle_days_avg: 90.5 },
        previous: { win_rate: 0.353, won: 12 },
        filters: {},
      },
      {
        group: { competitor: { id: "zenith", name: "Zenith 24" } },
        values: { win_rate: 0.25, won: 10, lost: 0, amount_won: 500_000, amount_avg: 50_000, cycle_days_avg: null },
        filters: {},
      },
    ],
    totals: { values: { win_rate: 0.372, won: 50, lost: 60 } },
  },
  currency: "EUR",
}

const PASSAGE = "Orbit charges $48 per seat. Its support answers within 26 hours. The pilot has twelve users."
const RECORD = "Harbor 9\n\nClient: Harbor\nAmount: 10009.50 EUR\nClose date: 2026-03-31\n\nSummary\n\nBudget: 7"

/** A writer over two rows of a report (`orbit`, `zenith`), a passage and a deal, whose links end in the id of their source. */
export const makeWriter = (said: ReadonlyArray<string> = []) => {
  const references = new References()
  const refs = {
    orbit: references.refRow(ROWS, 0),
    zenith: references.refRow(ROWS, 1),
    price: references.ref(passage({ id: "price", name: "Card.md", text: PASSAGE })),
    deal: references.ref(passage({ id: "deal", source: "deal", name: "Harbor 9", dealName: "Harbor 9", text: RECORD })),
  }
  const numbers = new SourcedNumbers()
  numbers.say(said)
  const events: Array<AnswerEvent> = []
  const emit = (event: AnswerEvent) => Effect.sync(() => void events.push(event))
  const writer = new CitedTextWriter({ org: "org", references, numbers, emit })
  const text = () => events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")
  return {
    refs,
    references,
    numbers,
    writer,
    text,
    withheld: () => events.filter(({ type }) => type === "withheld").length,
  }
}

/** Writes `orbit.won` for the ref of the row and so on, in pieces, and returns what callers see: links without their addresses. */
export const writtenBy = Effect.fnUntraced(function* (
  model: string,
  { said = [], pieceLength = 7, args }: { said?: ReadonlyArray<string>; pieceLength?: number; args?: object } = {},
) {
  const { refs, numbers, writer, text, withheld } = makeWriter(said)
  if (args !== undefined) numbers.bound(args)
  writer.begin(false)
  for (const piece of withRefs(model, refs).match(new RegExp(`.{1,${pieceLength}}`, "gs")) ?? [])
    yield* writer.write(piece)
  yield* writer.end(false)
  return {
    text: text().replaceAll(/\]\([^)]*\/(\w+)\)/g, "]<$1>"),
    withheld: withheld(),
    isAnswer: writer.isAnswer(true),
  }
}, linked)

const withRefs = (model: string, refs: Readonly<Record<string, string>>) =>
  model.replaceAll(/\b(orbit|zenith|price|deal)(?=[.\]])/g, (name) => refs[name]!)

/** Provides links that need no database. */
export function linked<A, E>(effect: Effect.Effect<A, E, FigureLinks | ViewerLinks>): Effect.Effect<A, E> {
  const url = (_: string, id: string) => Effect.succeed(`https://s.example/${id}`)
  const rowUrl = (_: string, __: ReportRows, row: number | undefined) =>
    Effect.succeed({ token: `r${row}`, url: `https://s.example/row${row}` })
  const figures = { keep: () => Effect.void, url: rowUrl } as unknown as FigureLinks["Service"]
  const viewer = { url, dealUrl: url } as unknown as ViewerLinks["Service"]
  return effect.pipe(Effect.provideService(FigureLinks, figures), Effect.provideService(ViewerLinks, viewer))
}
