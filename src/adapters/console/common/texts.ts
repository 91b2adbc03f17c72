import { DE } from "./textsDe.ts"
import { EN, type TextName } from "./textsEn.ts"
import { language } from "./settings.ts"

export type { TextName } from "./textsEn.ts"

const CATALOGUE: Readonly<Record<"en" | "de", Readonly<Record<TextName, string>>>> = { en: EN, de: DE }

/** A text in the reader's language, with `{name}` replaced by values. A `count` of one has a text of its own if `name.one` exists. */
export const t = (name: TextName, values: Readonly<Record<string, string | number>> = {}): string => {
  const texts = CATALOGUE[language.value]
  const one = `${name}.one`
  const text = String(values["count"]) === "1" && Object.hasOwn(texts, one) ? texts[one as TextName] : texts[name]
  return text.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ""))
}

/** The text of a name that comes from the server, or `other` if the catalogue has none. */
export const textOr = (name: string, other: string): string => (Object.hasOwn(EN, name) ? t(name as TextName) : other)
