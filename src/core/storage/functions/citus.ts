import { define } from "./define.ts"

/**
 * The parts of functions that differ on Citus. A statement over all organizations locks no rows there, and takes no parameter of a
 * function in SQL. So these functions find organizations over all shards, and then write in one at a time (docs/decisions/scale-out.md).
 */

/** Lets a statement run over all shards, although an operator may have configured Citus to refuse that, as the tests do. */
const OVER_ALL_SHARDS = `set citus.multi_task_query_log_level = 'off'`

/** Organizations that one call of a background function visits. */
export const MAX_VISITED = 100

/** The rest of a function of the owner over all shards, after what it returns. */
export const overAllShards = (volatility: "stable" | "volatile", body: string) =>
  `language plpgsql ${volatility} security definer set search_path = sightline, pg_temp ${OVER_ALL_SHARDS} as $$
    #variable_conflict use_column
    ${body} $$`

/** On a worker only a superuser may create a function with a parameter of an extension: the connection has not loaded it. */
const PARAMETER = /(?<!\s)\s+set (pg_trgm\.\w+) = (\S+)/

const inPlpgsql = (text: string) => {
  const [, name, value] = PARAMETER.exec(text) ?? []
  const set = name === undefined ? "" : `perform set_config('${name}', '${value}', true);`
  return text
    .replace(PARAMETER, "")
    .replace("language sql", "language plpgsql")
    .replace(
      /\bas \$\$([^]*)\$\$$/,
      (_, query: string) => `as $$\n    #variable_conflict use_column\n    begin ${set} return query ${query}; end $$`,
    )
}

/** Defines a query in SQL of one organization, which on Citus is in PL/pgSQL: there alone it plans parameters. */
export const defineQuery = (head: string, text: string) => define(head, text, inPlpgsql(text))

/** Defines a query in SQL over all organizations. */
export const defineQueryOverAllShards = (head: string, text: string) =>
  define(head, text, inPlpgsql(text).replace(/ (?=as \$\$)/, ` ${OVER_ALL_SHARDS} `))
