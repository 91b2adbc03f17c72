import { cpus } from "node:os"
import { parseArgs } from "node:util"
import type { Verdict } from "../test/questions/grade.ts"
import { gradeSeveral } from "../test/questions/askingBack.ts"
import { grade } from "../test/questions/grade.ts"
import { type Half, HALVES } from "../test/questions/halves.ts"
import { type Question, type Type, TYPES } from "../test/questions/question.ts"
import { SEVERAL } from "../test/questions/several.ts"
import { openWorkspaces, type Workspaces } from "../test/questions/workspaces.ts"
import { startPostgres } from "../test/support/postgres.ts"
import { heading, judge, judgeLeast, summary, table } from "./support/report.ts"

interface Graded {
  readonly question: Question
  readonly verdict: Verdict
  readonly isCited: boolean
}

const USAGE = `usage: npm run bench -- questions [--half work|fresh|unseen|counted|several|both] [--type ${TYPES.join("|")}] [--show]`

const isType = (text: string): text is Type => TYPES.some((type) => type === text)

/** `--show` prints the questions, answers and verdicts of a part. The counted half is only counted. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      half: { type: "string", default: "both" },
      type: { type: "string" },
      show: { type: "boolean", default: false },
    },
  })
  const halves = (["work", "fresh", "unseen", "counted"] as const).filter(
    (half) => values.half === half || values.half === "both",
  )
  const isReadingCounted = values.show && halves.includes("counted")
  const asksSeveral = values.half === "several" || values.half === "both"
  if (
    isReadingCounted ||
    (halves.length === 0 && !asksSeveral) ||
    (values.type !== undefined && !isType(values.type))
  ) {
    if (isReadingCounted)
      console.error("--show needs --half work, fresh or unseen: the counted half is counted, not read")
    console.error(USAGE)
    process.exit(2)
  }
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}`)
  const server = await startPostgres()
  try {
    const workspaces = await openWorkspaces(server.url)
    try {
      if (!workspaces.names.includes("crm")) console.log("no ../shared/data/crm here: only the demo is asked about")
      for (const half of halves) await run(workspaces, half, values.type, values.show)
      if (asksSeveral && values.type === undefined) await runSeveral(workspaces, values.show)
      summary()
    } finally {
      await workspaces.dispose()
    }
  } finally {
    await server.stop()
  }
}

const run = async (workspaces: Workspaces, half: Half, type: string | undefined, isShown: boolean) => {
  heading(`Questions: ${half === "fresh" || half === "unseen" ? `the ${half} ones` : `the ${half} half`}`)
  const graded: Array<Graded> = []
  for (const question of HALVES[half]) {
    if (!workspaces.names.includes(question.workspace) || (type !== undefined && question.type !== type)) continue
    const facts = await workspaces.facts(question)
    const answer = await workspaces.answer(question)
    const verdict = grade(question, facts, answer)
    graded.push({ question, verdict, isCited: answer.citations.length > 0 })
    if (isShown) {
      console.log(`### ${verdict}: ${question.id}\n`)
      for (const turn of question.turns) console.log(`> ${turn}`)
      console.log(
        `\n${answer.content}\n\ntruth: ${JSON.stringify("sql" in question.truth ? facts : question.truth).slice(0, 600)}\n`,
      )
    }
  }
  const line = (name: string, of: ReadonlyArray<Graded>) => {
    const count = (verdict: Verdict) => of.filter((each) => each.verdict === verdict).length
    return [name, of.length, count("right"), count("partly"), count("refused"), count("wrong")].map(String)
  }
  const ofType = (type: Type) => graded.filter(({ question }) => question.type === type)
  table(
    ["type", "n", "right", "partly", "refused", "wrong"],
    [...TYPES.filter((type) => ofType(type).length > 0).map((type) => line(type, ofType(type))), line("all", graded)],
  )
  const shareOf = (of: ReadonlyArray<Graded>, verdict: Verdict) =>
    of.length === 0 ? undefined : (100 * of.filter((each) => each.verdict === verdict).length) / of.length
  const answerable = graded.filter(({ question }) => question.truth.kind !== "refuses")
  const right = graded.filter(({ verdict, question }) => verdict === "right" && "sql" in question.truth)
  const cited = right.filter(({ isCited }) => isCited).length
  console.log(`\n${cited} of ${right.length} right answers with numbers carry a citation\n`)
  judgeLeast(`questions, ${half}: right`, shareOf(graded, "right"), 88, "%")
  judge(`questions, ${half}: wrong`, shareOf(graded, "wrong"), 1, "%")
  judge(`questions, ${half}: refused though answerable`, shareOf(answerable, "refused"), 8, "%")
}

/** Questions with several readings. "Same": all readings have one result, so nothing is asked. */
const runSeveral = async (workspaces: Workspaces, isShown: boolean) => {
  heading("Questions: those with several readings")
  const counts = new Map<string, number>()
  for (const each of SEVERAL) {
    const { verdict, content, values } = await gradeSeveral(workspaces, each)
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    if (isShown) console.log(`### ${verdict}: ${each.question}\n\n${content}\n\ntruth: ${JSON.stringify(values)}\n`)
  }
  const count = (verdict: string) => counts.get(verdict) ?? 0
  const row = ["asked", "same", "refused", "wrong"].map((verdict) => String(count(verdict)))
  table(["n", "asked back", "one result", "refused", "wrong"], [[String(SEVERAL.length), ...row]])
  const several = SEVERAL.length - count("same")
  judgeLeast("questions with several readings: asked back", (100 * count("asked")) / several, 80, "%")
  judge("questions with several readings: wrong", (100 * count("wrong")) / SEVERAL.length, 2, "%")
}
