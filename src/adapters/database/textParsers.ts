import * as PgTypes from "@effect/sql-pg/PgTypes"

type Parse = (text: string) => unknown

/** The driver's times have no fractions of milliseconds. The session's zone is UTC, so a `timestamptz` ends with `+00`. */
const parseTime: Parse = (text) => new Date(`${text.replace(/\+00$/, "").slice(0, 23).replace(" ", "T")}Z`)

const { OID } = PgTypes

/** By type; every other one stays a text. No statement of ours returns times without a date, or intervals. */
const SCALARS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [OID.bool, (text) => text === "t"],
  ...[OID.int2, OID.int4, OID.oid, OID.float8].map((oid) => [oid, Number] as const),
  [OID.float4, (text) => Math.fround(Number(text))],
  [OID.int8, BigInt],
  [OID.json, JSON.parse],
  [OID.jsonb, JSON.parse],
  [OID.timestamp, parseTime],
  [OID.timestamptz, parseTime],
  [OID.bytea, (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"))],
])

const asText: Parse = (text) => text

/** An element in quotes, or another one. */
const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs

/** No array of ours has more than one dimension. */
const parseArray =
  (parse: Parse): Parse =>
  (text) =>
    [...text.matchAll(ELEMENT)].map(([, quoted, plain]) => {
      if (quoted !== undefined) return parse(quoted.replaceAll(/\\(.)/gs, "$1"))
      return plain === "NULL" ? null : parse(plain!)
    })

const ARRAYS = new Map(
  Object.values(OID).flatMap((element) => {
    const array = PgTypes.arrayOidFor(element)
    return array === undefined ? [] : [[array as number, parseArray(SCALARS.get(element) ?? asText)] as const]
  }),
)

/** Reads values in PostgreSQL's text format as our driver reads them in its binary one. */
export const parserOf = (oid: number): Parse => SCALARS.get(oid) ?? ARRAYS.get(oid) ?? asText
