import * as Context from "effect/Context"

/** The schema and the role of this Sightline in its database, so that several can share one. */
export interface Installation {
  readonly schema: string
  /** The role that serves requests. It owns nothing and row-level security binds it. */
  readonly role: string
}

export const Installation = Context.Reference<Installation>("sightline/storage/Installation", {
  defaultValue: () => makeInstallation({}),
})

/** Another schema has a role of its own by default: a role may read every schema that it serves. */
export const makeInstallation = ({
  schema = "sightline",
  role = `${schema}_app`,
}: {
  readonly schema?: string | undefined
  readonly role?: string | undefined
}): Installation => {
  for (const name of [schema, role]) {
    if (!IDENTIFIER.test(name)) throw new TypeError(`the name '${name}' ${IDENTIFIER_RULE}`)
  }
  return { schema, role }
}

/** SQL texts have these names in quotes and in string literals, so nothing in them needs an escape. */
export const IDENTIFIER = /^(?!pg_)[a-z][a-z0-9_]{0,47}$/
export const IDENTIFIER_RULE =
  "must be 1 to 48 lower-case letters, digits and underscores, and start with a letter, but not with pg_"

/**
 * Renders an SQL text for an installation. Migrations and functions name the default one, `sightline` and
 * `sightline_app`; the setting `sightline.organization` keeps its name.
 */
export const nameInstallation =
  ({ schema, role }: Installation) =>
  (text: string): string =>
    text.replaceAll(/('?)\bsightline(_app)?\b(?!\.organization)/g, (_, quote: string, app?: string) => {
      const name = app === undefined ? schema : role
      return quote === "'" ? `'${name}` : `"${name}"`
    })

/** The settings of every session, on all engines. */
export const sessionSettings = ({ schema }: Installation) => ({
  search_path: `"${schema}",public`,
  // A generic plan cannot know which filters are selective. Planning each list anew is eight times faster here.
  plan_cache_mode: "force_custom_plan",
  jit: "off",
  timezone: "UTC",
  datestyle: "ISO",
})

/**
 * How a statement gets its organization.
 * - `statement`: a CTE of the statement sets it.
 * - `transaction`: the connection runs `set local` before it in a transaction, from `CurrentScope`. For engines and
 *   poolers that need it; takes as many round trips.
 */
export const ScopeForm = Context.Reference<"statement" | "transaction">("sightline/storage/ScopeForm", {
  defaultValue: () => "statement",
})

/** Whether the database is a Citus cluster. */
export const IsDistributed = Context.Reference<boolean>("sightline/storage/IsDistributed", {
  defaultValue: () => false,
})

/** The names of a serving process's sessions. An instance that started on one server does not know that the tables moved. */
export const APPLICATION = { server: "sightline", citus: "sightline on citus" } as const

/** Sets the organization for the open transaction. Engines that divide the rows among servers pass on `set local`, but not `set_config`. */
export const setOrganization = (organization: string): string =>
  `set local sightline.organization = '${organization.replaceAll("'", "''")}'`

/** Makes Citus pass on `set local`. Other engines keep it as a setting that nothing reads. */
export const PROPAGATED = { "citus.propagate_set_commands": "local" }

/**
 * Serving sessions on Citus use one connection to each worker, which Citus keeps. By default a query over all shards, such as a
 * background function's, opens up to 16 more and closes them: 27 new sessions for an export, which took half of its CPU time.
 */
export const ONE_CONNECTION = { "citus.max_adaptive_executor_pool_size": "1" }

/** The organization of this fiber's statements, for connections that set it. */
export const CurrentScope = Context.Reference<string | undefined>("sightline/storage/CurrentScope", {
  defaultValue: () => undefined,
})
