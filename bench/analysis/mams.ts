import { readFileSync } from "node:fs"
import { effectOn } from "../../src/core/analysis/extracted/effects.ts"
import { table } from "../support/report.ts"

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
}
const decode = (text: string) => text.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity]!)

/** Targeted sentiment of MAMS (restaurant reviews, several targets in each sentence): accuracy and macro-F1 of the effect. */
export const measureMams = (file: string) => {
  const xml = readFileSync(file, "utf8")
  const classes = ["positive", "negative", "neutral"] as const
  const counts = new Map<string, number>()
  let all = 0
  let right = 0
  for (const [, sentence = ""] of xml.matchAll(/<sentence\b[^>]*>(.*?)<\/sentence>/gs)) {
    const text = decode(/<text>(.*?)<\/text>/s.exec(sentence)?.[1] ?? "")
    for (const [tag] of sentence.matchAll(/<aspectTerm\b[^>]*>/g)) {
      const of = (name: string) => decode(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "")
      const truth = of("polarity")
      const given = effectOn(text, { start: Number(of("from")), end: Number(of("to")) }) ?? "neutral"
      counts.set(`${truth} ${given}`, (counts.get(`${truth} ${given}`) ?? 0) + 1)
      all++
      if (truth === given) right++
    }
  }
  const count = (truth: string, given: string) => counts.get(`${truth} ${given}`) ?? 0
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const f1 = classes.map((each) => {
    const found = sum(classes.map((other) => count(other, each)))
    const meant = sum(classes.map((other) => count(each, other)))
    return found + meant === 0 ? 0 : (2 * count(each, each)) / (found + meant)
  })
  const largest = Math.max(...classes.map((each) => sum(classes.map((other) => count(each, other)))))
  console.log("\nTargeted sentiment, MAMS (validation part, outside data)\n")
  table(
    ["targets", "right", "macro-F1", "positive F1", "negative F1", "neutral F1", "always the commonest"],
    [
      [
        String(all),
        ...[right / all, sum(f1) / 3, ...f1, largest / all].map((value) => `${(value * 100).toFixed(1)} %`),
      ],
    ],
  )
}
