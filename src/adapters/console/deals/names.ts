import * as format from "../common/format.ts"
import { current } from "../common/session.ts"
import { t, textOr } from "../common/texts.ts"
import { FIELDS } from "./fields.ts"

/** Filters that the builder does not offer, such as those of a report's row, keep the server's name. */
export const labelFilter = (name: string): string => textOr(`filter.${name}`, name.replaceAll("_", " "))

export const describe = (name: string, value: unknown): string => {
  if (Array.isArray(value)) {
    const names = value.map((each) => nameValue(name, each))
    return names.length > 3 ? `${names.slice(0, 3).join(", ")} +${names.length - 3}` : names.join(", ")
  }
  if (typeof value === "boolean") return t(value ? "yes" : "no")
  if (typeof value !== "object" || value === null) return String(value)
  const { period, from, to, min, max } = value as Record<string, unknown>
  if (typeof period === "string") return textOr(`period.${period}`, period)
  if (from !== undefined || to !== undefined)
    return `${typeof from === "string" ? format.day(from) : "…"} – ${typeof to === "string" ? format.day(to) : "…"}`
  if (typeof min === "number" || typeof max === "number") {
    const show = name === "amount" ? format.money : format.count
    return `${typeof min === "number" ? show(min) : "…"} – ${typeof max === "number" ? show(max) : "…"}`
  }
  return JSON.stringify(value)
}

export const nameValue = (filter: string, value: unknown): string => {
  const text = String(value)
  const field = FIELDS.find((each) => each.filter === filter)
  if (field === undefined) return text
  if ("options" in field) return textOr(`option.${text}`, text)
  const named = current().workspace[field.names].data as ReadonlyArray<{
    readonly id: string | null
    readonly name: string
  }>
  return named.find((each) => each.id === text)?.name ?? text
}
