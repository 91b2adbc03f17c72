import { Network, type Probabilities, type Weights } from "../src/core/answers/reader/network.ts"
import { Vocabulary } from "../src/core/answers/reader/Vocabulary.ts"
import { HEAD_NAMES } from "./labels.ts"
import type { Sentence } from "./sentences.ts"

interface Counted {
  /** The heads that are right; "flags" if all flags are. */
  readonly right: ReadonlySet<string>
  readonly isWhole: boolean
  readonly confidence: number
  /** The sentence has a condition that the workspace does not know, or is read so. */
  readonly isForeign: boolean
  readonly isReadForeign: boolean
}

const PARTS = [...HEAD_NAMES, "flags"]
const FOREIGN = "foreign"
const TENTHS = Array.from({ length: 10 }, (_, n) => n + 1)

const count = ({ labels }: Sentence, { heads, flags }: Probabilities): Counted => {
  const best = HEAD_NAMES.map((head) => [...heads[head]!].reduce((a, b) => (b[1] > a[1] ? b : a)))
  const right = new Set<string>(HEAD_NAMES.filter((head, n) => best[n]![0] === labels.heads[head]))
  const read = [...flags].filter(([, probability]) => probability > 0.5).map(([flag]) => flag)
  if (read.length === labels.flags.size && read.every((flag) => labels.flags.has(flag))) right.add("flags")
  const certain = [...best.map(([, share]) => share), ...[...flags.values()].map((share) => Math.max(share, 1 - share))]
  const isReadForeign = best[HEAD_NAMES.indexOf("kind")]![0] === FOREIGN
  return {
    right,
    isForeign: labels.heads.kind === FOREIGN,
    isReadForeign,
    isWhole: right.size === PARTS.length,
    confidence: certain.reduce((product, share) => product * share),
  }
}

const percentOf = (parts: ReadonlyArray<boolean>) =>
  `${((100 * parts.filter(Boolean).length) / parts.length).toFixed(1)} %`

/** How much of each voice the weights read right, as text. */
export const describeVoices = (weights: Weights, sentences: ReadonlyArray<Sentence>): string => {
  const [network, vocabulary] = [new Network(weights), new Vocabulary(weights)]
  return [...Map.groupBy(sentences, ({ voice }) => voice)]
    .map(([voice, group]) => {
      const counted = group
        .map((each) => count(each, network.classify(each.tokens.map((token) => vocabulary.numberOf(token)))))
        .toSorted((a, b) => b.confidence - a.confidence)
      const whole = counted.map(({ isWhole }) => isWhole)
      const foreign = counted.filter(({ isForeign }) => isForeign)
      const found = foreign.filter(({ isReadForeign }) => isReadForeign).length
      const wrong = counted.filter(({ isForeign, isReadForeign }) => isReadForeign && !isForeign).length
      const known = counted.filter(({ isForeign }) => !isForeign).map(({ isWhole }) => isWhole)
      const parts = PARTS.map((part) => `${part} ${percentOf(counted.map(({ right }) => right.has(part)))}`)
      const cuts = TENTHS.map(
        (tenth) => `${tenth * 10} %: ${percentOf(whole.slice(0, Math.floor((whole.length * tenth) / 10)))}`,
      )
      return [
        `${voice}: every slot of ${percentOf(whole)} of ${whole.length} sentences is right`,
        `  ${parts.join(", ")}`,
        `  without unknown conditions ${percentOf(known)}; unknown conditions: ${found} of ${foreign.length} found, ${wrong} read where there is none`,
        `  of the most confident ${cuts.join(", ")}`,
      ].join("\n")
    })
    .join("\n")
}
