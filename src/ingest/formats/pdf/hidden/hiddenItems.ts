import type { TextItem } from "pdfjs-dist/types/src/display/api.js"

const ROOT = 0
const CODES = 0x10000

/** Finds the texts that a long text contains, in time that grows with their lengths alone (Aho and Corasick, 1975). */
export const findContained = (texts: ReadonlySet<string>, long: string): ReadonlySet<string> => {
  /** By node and code of a letter, the node of one letter more. */
  const children = new Map<number, number>()
  const nodes = [{ parent: ROOT, code: 0, depth: 0 }]
  const step = (node: number, code: number) => children.get(node * CODES + code)
  const ends = new Map<string, number>()
  for (const text of texts) {
    let node = ROOT
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const next = step(node, code) ?? nodes.length
      if (next === nodes.length) {
        children.set(node * CODES + code, next)
        nodes.push({ parent: node, code, depth: at + 1 })
      }
      node = next
    }
    ends.set(text, node)
  }
  /** By node, that of the longest end of its letters which is a node too. */
  const shorter = nodes.map(() => ROOT)
  const follow = (from: number, code: number) => {
    let node = from
    while (node !== ROOT && step(node, code) === undefined) node = shorter[node]!
    return step(node, code) ?? ROOT
  }
  const byDepth = nodes.map((_, node) => node).sort((a, b) => nodes[a]!.depth - nodes[b]!.depth)
  for (const node of byDepth) {
    const { parent, code, depth } = nodes[node]!
    if (depth > 1) shorter[node] = follow(shorter[parent]!, code)
  }
  const isReached = nodes.map(() => false)
  let node = ROOT
  for (let at = 0; at < long.length; at++) isReached[(node = follow(node, long.charCodeAt(at)))] = true
  for (const reached of byDepth.toReversed()) if (isReached[reached]!) isReached[shorter[reached]!] = true
  return new Set([...texts].filter((text) => isReached[ends.get(text)!]!))
}

const lettersOf = (text: string) => text.normalize("NFKC").replaceAll(/\s+/g, "")

/** The texts of a page whose letters are among those that it hides, and not among those that it shows. */
export const findHiddenItems = (
  items: ReadonlyArray<TextItem>,
  hidden: string,
  shown: string,
): ReadonlyArray<TextItem> => {
  const letters = items.map(({ str }) => lettersOf(str))
  const texts = new Set(letters.filter((text) => text !== ""))
  const inHidden = findContained(texts, lettersOf(hidden))
  const inShown = findContained(inHidden, lettersOf(shown))
  return items.filter((_, at) => inHidden.has(letters[at]!) && !inShown.has(letters[at]!))
}
