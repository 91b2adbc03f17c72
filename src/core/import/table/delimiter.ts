const DELIMITERS = [",", ";", "\t", "|"]

/** The delimiter of which the header row has most, outside quotes. */
export const delimiterOf = (text: string): string => {
  const header = text.split("\n", 1)[0]!.replaceAll(/"(?:[^"]|"")*"/g, "")
  const count = (delimiter: string) => header.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}
