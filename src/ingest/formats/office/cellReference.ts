/** The column of a reference such as `AB12`, from 1; 0 if it has none. */
export const parseColumn = (reference: string): number => {
  let column = 0
  for (let at = 0; at < reference.length && at < 3; at++) {
    const letter = reference.charCodeAt(at) & ~32
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  return column
}
