import { t } from "./texts.ts"

interface Group {
  readonly id: string | null
  readonly name: string | null
}

/** The group of a report's row: `{id, name}` for every dimension but dates. */
export const groupOf = (group: unknown): Group => (group as Group | undefined) ?? { id: null, name: null }

export const nameOf = (group: unknown): string => groupOf(group).name ?? t("none")
