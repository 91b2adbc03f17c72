/** A timestamp as ISO 8601 in UTC with milliseconds and `Z`. */
export const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
