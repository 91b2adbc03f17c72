import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Half, HALVES } from "./analysis/set/generate.ts"
import { measureMams } from "./analysis/mams.ts"
import { measureEarnings } from "./analysis/earnings.ts"
import { readFindings, scoreExtraction, scoreFindings } from "./analysis/systems.ts"
import { heading, judgeLeast, summary, table } from "./support/report.ts"

const OUTSIDE = join(import.meta.dirname, "../../shared/data/analysis")

const USAGE =
  "usage: npm run bench -- analysis [--half work|counted|both] [--show] [--pipeline] [--findings FILE] [--print-documents FOLDER]"

/**
 * Scores findings on our own set: without a model, or of any system with `--findings`, a file of lines
 * `{deal, document, kind, target, side, effect, quote}`. `--show` lists what is wrong in the work half. `--print-documents` writes the
 * documents for another system. `--pipeline` runs the whole analysis with scripted models instead: right, wrong, lying, silent, obedient.
 */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      half: { type: "string", default: "both" },
      show: { type: "boolean", default: false },
      findings: { type: "string" },
      "print-documents": { type: "string" },
      pipeline: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
    },
  })
  const halves: ReadonlyArray<Half> = HALVES.filter((half) => values.half === half || values.half === "both")
  if (halves.length === 0 || (values.show && halves.includes("counted"))) {
    console.error(values.show ? "--show needs --half work: the counted half is counted, not read" : USAGE)
    process.exit(2)
  }
  if (values["print-documents"] !== undefined) {
    const { printDocuments } = await import("./analysis/systems.ts")
    return printDocuments(values["print-documents"], halves)
  }
  if (values.pipeline) {
    const { measurePipeline } = await import("./analysis/pipeline.ts")
    await measurePipeline(values.quick ? 4 : 12)
    return summary()
  }
  for (const half of halves) {
    heading(`Findings of ${values.findings ?? "the extraction without a model"}: the ${half} half`)
    const { score, documents, seconds } =
      values.findings === undefined
        ? scoreExtraction(half, values.show)
        : scoreFindings(half, readFindings(values.findings))
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`
    table(
      ["kind", "found", "wrong", "missed", "precision", "recall", "F1"],
      (["competitor", "feature", "driver"] as const).map((kind) => {
        const { found, wrong, missed, precision, recall, f1 } = score.of(kind)
        return [kind, String(found), String(wrong), String(missed), percent(precision), percent(recall), percent(f1)]
      }),
    )
    table(
      ["trap", "right", "of"],
      [...score.traps].map(([trap, { right, all }]) => [trap, String(right), String(all)]),
    )
    console.log(
      `promises shown as they stand: ${percent(score.promises)}; effect of drivers, macro-F1: ${percent(score.macroF1("driver"))}`,
    )
    if (seconds !== undefined) console.log(`${documents} documents in ${seconds.toFixed(2)} s without a database`)
    judgeLeast(`${half}: competitor F1`, score.of("competitor").f1, 0.95)
    judgeLeast(`${half}: side`, score.side, 0.95)
    judgeLeast(`${half}: feature F1`, score.of("feature").f1, 0.75)
    judgeLeast(`${half}: sentiment macro-F1`, score.macroF1("mention"), 0.6)
    judgeLeast(`${half}: quotes verbatim`, score.verbatim, 1)
  }
  if (values.findings === undefined) {
    if (existsSync(OUTSIDE)) {
      measureMams(join(OUTSIDE, "sentiment/mams-val.xml"))
      measureEarnings(join(OUTSIDE, "mentions"))
    } else console.log("no ../shared/data/analysis here: only our own set is measured")
  }
  summary()
}
