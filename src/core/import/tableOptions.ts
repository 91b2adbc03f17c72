/** The options that only tables have, and the parameters that give them: records name their own fields and write values as JSON. */
export const TABLE_OPTIONS = {
  map: "map",
  decimal: "decimal",
  rates: "rates",
  empty: "empty",
  keepUnmapped: "keep_unmapped",
  sheet: "sheet",
} as const
