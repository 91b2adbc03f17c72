/** SQL that builds compact JSON text. PostgreSQL's own functions add spaces. */

/** Any value as JSON text. */
export const jsonValue = (value: string) => `coalesce(to_json(${value})::text, 'null')`

/** An object; `members` are SQL values by name. */
export const jsonObject = (members: Readonly<Record<string, string>>) =>
  jsonObjectOf(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, jsonValue(value)])))

/** An object; `members` are JSON texts by name. */
export const jsonObjectOf = (members: Readonly<Record<string, string>>) =>
  `'{' || ${Object.entries(members)
    .map(([name, json]) => `'"${name}":' || ${json}`)
    .join(" || ',' || ")} || '}'`

/** The array of a group's rows; `element` is JSON text. */
export const jsonArray = ({ element, order }: { readonly element: string; readonly order: string }) =>
  `'[' || coalesce(string_agg(${element}, ',' order by ${order}), '') || ']'`
