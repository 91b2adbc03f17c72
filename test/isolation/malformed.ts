/** Ids that no tenant has, in forms that code may not expect. All of them are refused before the database is asked. */
export const MALFORMED = [
  "x".repeat(65),
  "x".repeat(401),
  " ",
  "a\u0000b",
  "../keys",
  "%00",
  "%",
  "*",
  "null",
  "' or '1'='1",
  "\ud83d\ude00",
  "\u202e",
  '{"id":"d_same"}',
  "d_same,d_other",
]
