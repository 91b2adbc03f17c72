import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { WITHOUT_COPY } from "../../core/storage/sql.ts"

/** A table of a backup. */
export interface Table {
  readonly name: string
  /** The column that names the organization. Undefined: rows belong to no organization. */
  readonly owner: string | undefined
  /** All columns but generated ones. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
}

/** The store of files and migrations write their own tables; when periodic work last ran means nothing to a copy. */
const ELSEWHERE = new Set(["blobs", "blob_parts", "chores", "migrations"])

/** The tables of the current schema; a table comes after those that it refers to. */
export const readTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const found = yield* sql<Omit<Table, "owner"> & { readonly refers: ReadonlyArray<string> }>`
    select c.relname::text as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers
    from pg_class c where c.relnamespace = current_schema::regnamespace and c.relkind = 'r' order by 1`
  const left = new Map(found.filter(({ name }) => !ELSEWHERE.has(name)).map((table) => [table.name, table]))
  const ordered: Array<Table> = []
  while (left.size > 0) {
    const next = [...left.values()].filter(({ refers }) => !refers.some((name) => left.has(name)))
    if (next.length === 0) return yield* Effect.die(`tables refer to each other: ${[...left.keys()].join(", ")}`)
    for (const { name, columns } of next) {
      left.delete(name)
      const owner = name === "organizations" ? "id" : columns.find((column) => column.name === "org_id")?.name
      ordered.push({ name, owner, columns })
    }
  }
  return ordered
})

/** JSON is written as a text, so that its bytes stay and `null` differs from no value. */
const isJson = (type: string) => type === "json" || type === "jsonb"

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Selects the rows of an organization as JSON objects, or all rows. */
export const selectRows = ({ name, owner, columns }: Table): string => {
  const values = columns.map(({ name, type }) =>
    isJson(type) ? `${quote(name)}::text as ${quote(name)}` : quote(name),
  )
  const mine = owner === undefined ? "" : ` where ${quote(owner)} = current_setting('sightline.organization')`
  return `select to_json(r)::text as row from (select ${values.join(", ")} from ${quote(name)}${mine}) r`
}

/** Deletes the rows that migrations wrote. */
export const deleteRows = ({ name }: Table): string => `delete from ${quote(name)}`

/** Inserts the rows of a JSON array, the only parameter. */
export const insertRows = ({ name, columns }: Table): string => {
  const names = columns.map(({ name }) => quote(name)).join(", ")
  const values = columns.map(({ name, type }) => (isJson(type) ? `${quote(name)}::${type}` : quote(name)))
  const given = columns.map(({ name, type }) => `${quote(name)} ${isJson(type) ? "text" : type}`)
  return `insert into ${quote(name)} (${names}) select ${values.join(", ")} from json_to_recordset($1::json) as x(${given.join(", ")}) ${WITHOUT_COPY}`
}
