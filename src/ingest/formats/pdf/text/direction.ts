const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g
const LEFT_TO_RIGHT = /[\p{L}\p{N}]/gu

/** Counts a text's characters by direction; signs have none. */
const weigh = (text: string) => {
  const right = text.match(RIGHT_TO_LEFT)?.length ?? 0
  return { right, left: (text.match(LEFT_TO_RIGHT)?.length ?? 0) - right }
}

export const isRightToLeft = (text: string): boolean => weigh(text).right > 0

/** Whether a line reads from right to left. */
export const readsFromRight = (texts: ReadonlyArray<string>): boolean => {
  const weights = texts.map((text) => weigh(text))
  const sum = (side: "left" | "right") => weights.reduce((all, weight) => all + weight[side], 0)
  return sum("right") > sum("left")
}

const turnAround = <A>(items: Array<A>, belongs: (index: number) => boolean) => {
  for (let from = 0; from < items.length; from++) {
    let to = from
    while (to < items.length && belongs(to)) to++
    for (const [index, item] of items.slice(from, to).toReversed().entries()) items[from + index] = item
    from = Math.max(from, to)
  }
}

/** The runs of one line in reading order. pdf.js already orders the letters within a run. */
export const inReadingOrder = <A extends { readonly text: string; readonly start: number }>(
  runs: ReadonlyArray<A>,
  fromRight: boolean,
): ReadonlyArray<A> => {
  const ordered = runs.toSorted((a, b) => (fromRight ? b.start - a.start : a.start - b.start))
  const against = ordered.map(({ text }) => {
    const { right, left } = weigh(text)
    return right + left === 0 ? undefined : right > 0 !== fromRight
  })
  // A sign between two runs of the opposite direction belongs to them.
  const turned = against.map((own, index) => own ?? (against[index - 1] === true && against[index + 1] === true))
  turnAround(ordered, (index) => turned[index] === true)
  return ordered
}
