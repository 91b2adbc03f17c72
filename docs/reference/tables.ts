/** Writes `tables.md`, the columns and keys of every table, from a freshly migrated database. `npm run tables` */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPglite } from "../../src/adapters/database/pglite.ts"

export const TABLES_PAGE = join(import.meta.dirname, "tables.md")

const HEAD = `# Tables

The columns and keys of every table. [Storage](../storage.md) says what each holds. \`npm run tables\` writes this page from a migrated database.
`

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string; readonly attributes: string }>
  readonly constraints: ReadonlyArray<string>
}

/** The page for the database at hand. */
export const renderTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<Table>`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'attributes',
          concat_ws(', ', case when a.attnotnull then 'not null' end,
            case when a.attidentity <> '' then 'identity' end,
            case when a.attgenerated <> '' then 'generated as ' || pg_get_expr(d.adbin, d.adrelid)
              when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end)) order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(pg_get_constraintdef(k.oid) order by k.contype desc, k.conname collate "C"), '[]')
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f')) as constraints
    from pg_class c where c.relnamespace = 'sightline'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname collate "C"`
  return [HEAD, ...tables.map(sectionOf)].join("\n")
})

const sectionOf = ({ name, columns, constraints }: Table) =>
  [
    `## ${name}\n`,
    "| column | type | |",
    "|---|---|---|",
    ...columns.map((column) => `| \`${column.name}\` | ${column.type} | ${inCell(column.attributes)} |`),
    "",
    ...constraints.map((constraint) => `- ${constraint.replaceAll("sightline.", "")}`),
    "",
  ].join("\n")

/** A default may be code with a pipe, which would end a cell. */
const inCell = (text: string) => text.replaceAll("sightline.", "").replaceAll("|", "\\|")

if (import.meta.main) {
  const page = await Effect.runPromise(Effect.scoped(Effect.provide(renderTables, layerPglite())))
  writeFileSync(TABLES_PAGE, page)
}
