import { METRICS } from "../../../deals/columns/metrics.ts"
import type { QuestionReader } from "../../QuestionReader.ts"
import { type Base, phrase } from "../words/lexicon.ts"
import type { WorkspaceNames } from "../words/names.ts"

/** Takes the name of a score, of the eight or of the workspace: "product fit", "champion strength". */
export const takeMetrics = (reader: QuestionReader, { metrics }: WorkspaceNames): Base | undefined => {
  for (const metric of METRICS) {
    const words = metric
      .replaceAll("_", "[ -]")
      .replace("sensitivity", String.raw`sensitiv(?:e|ity)`)
      // "Our relationship with Konex" asks for a brief.
      .replace("relationship", String.raw`relationship(?! (?:with|to)(?!\p{L}))`)
    if (
      reader.take(phrase(String.raw`(?:${words}|${words.replace("[ -]fit", "")} fit) ?(?:scores?|ratings?)?`)) !==
      undefined
    ) {
      reader.take(phrase("(?:scores?|ratings?|scored?|rated?)"))
      return `wl_${metric}_score`
    }
  }
  for (const name of metrics) {
    const at = reader.find(name)
    if (at === undefined) continue
    reader.takeRange(at.start, at.end)
    reader.take(phrase("(?:scores?|ratings?|metric)"))
    return `custom_metric_${name}`
  }
  return undefined
}
