/** Words, and how often each stands there. */
export type Counts = ReadonlyMap<string, number>

/** What a text says, as far as words go. */
export interface Words {
  /** Stems of the words that carry meaning, and the numbers. */
  readonly stems: ReadonlySet<string>
  /** Numbers in one spelling: `1,200.50` is `1200.5`, `seven` is `7`. */
  readonly numbers: Counts
  /** Capitalised words, in lower case. A text without any tells no names apart: then every word. */
  readonly capitals: Counts
  /** Words that are capitalised and need not be, in lower case. */
  readonly names: Counts
  /** Stems of words that are capitalised because they come first, and may be names all the same. */
  readonly openers: ReadonlySet<string>
  /** Names of two words or more, by each two that stand together: `denver broncos`. */
  readonly pairs: Counts
  readonly denies: boolean
}

const WORD = /\p{N}[\p{N}.,]*(?<=\p{N})|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu

export const wordsOf = (text: string): Words => {
  const stems = new Set<string>()
  const every = new Map<string, number>()
  const capitals = new Map<string, number>()
  const numbers = new Map<string, number>()
  const names = new Map<string, number>()
  const pairs = new Map<string, number>()
  const openers = new Set<string>()
  let denies = false
  let before = { name: "", end: 0 }
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const word = written
      .toLowerCase()
      .replace(/['’]s$/, "")
      .replaceAll("’", "'")
    const common = COMMON.has(word)
    const number = numberOf(word)
    count(every, word)
    denies ||= DENIALS.has(word) || word.endsWith("n't")
    if (number !== undefined) count(numbers, number)
    if (number !== undefined || !common) stems.add(number ?? stemOf(word))
    const between = text.slice(before.end, index)
    const capital = number === undefined && /^\p{Lu}/u.test(written)
    const opens = before.end === 0 || STARTS.test(between)
    const isName = capital && !(common && opens)
    if (capital) count(capitals, word)
    if (isName && opens) openers.add(stemOf(word))
    else if (isName) count(names, word)
    const name = isName && /\p{Ll}/u.test(written) ? word : ""
    if (name !== "" && before.name !== "" && between === " ") count(pairs, `${before.name} ${name}`)
    before = { name, end: index + written.length }
  }
  return { stems, numbers, capitals: capitals.size === 0 ? every : capitals, names, openers, pairs, denies }
}

const count = (counts: Map<string, number>, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1)

/** What stands before a word that is capitalised because it is the first. */
const STARTS = /[.!?:;"“‘([\n*]/

const numberOf = (word: string): string | undefined => {
  if (!/^\p{N}/u.test(word)) return SPELLED.get(word)
  const plain = word.replaceAll(/,(?=\d{3}(?:\D|$))/g, "")
  return /^\d+\.\d+$/.test(plain) ? plain.replace(/\.?0+$/, "") : plain
}

const SPELLED = new Map(
  "two three four five six seven eight nine ten eleven twelve".split(" ").map((word, n) => [word, String(n + 2)]),
)

/** Endings that change what a word does in its sentence, not what it means. */
const stemOf = (word: string): string => {
  if (word.length <= 3) return word
  const stem = word
    .replace(/ies$/, "y")
    .replace(/(?<=[a-z]{3})(?:ingly|edly|ing|ed|ly)$/, "")
    .replace(/(?<=s|x|z|ch|sh)es$/, "")
    .replace(/(?<=[^su])s$/, "")
  return stem.replace(/([bdfgmnprt])\1$/, "$1").replace(/(?<=[a-z]{3})e$/, "")
}

const DENIALS = new Set(["not", "no", "never", "none", "neither", "nor", "without", "cannot", "nobody", "nothing"])

/** Words that say nothing of a matter, and those that only join one sentence to another. */
const COMMON = new Set(
  `a about above according across additionally after again against all also although among an and another any are as at
  be because been before being below between both but by can could did do does doing down during each either etc even
  every few finally first for from further furthermore had has have having he hence her here hers him his how however i
  if in instead into is it its itself just last lastly likewise many may me meanwhile might more moreover most much must
  my nevertheless next of off on once one only or other our out over overall own per rather same second shall she should
  similarly since so some specifically still such summary than that the their them then there therefore these they third
  this those though through thus to together too under until up upon us very via was we were what when where whereas
  whether which while who whom whose why will with within would yes yet you your ${[...DENIALS].join(" ")}`.split(
    /\s+/,
  ),
)
