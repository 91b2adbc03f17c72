/** How many items precede the first that `is` does not hold for. It holds for none behind that one: the items are halved, not read. */
export const countFirst = <A>(items: ReadonlyArray<A>, is: (item: A) => boolean): number => {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (is(items[middle]!)) from = middle + 1
    else to = middle
  }
  return from
}

/** The greatest of the values up to each one. */
export const runningMax = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  let most = -Infinity
  return values.map((value) => (most = Math.max(most, value)))
}
