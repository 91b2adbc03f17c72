import { DE } from "./textsDe.ts"
import { EN, type TextName } from "./textsEn.ts"
import { language } from "./settings.ts"

export type { TextName } from "./textsEn.ts"

const CATALOGUE: Readonly<Record<"en" | "de", Readonly<Record<TextName, string>>>> = { en: EN, de: DE }

/** A text in the reader's language, with `{name}` replaced by values. */
export const t = (name: TextName, values: Readonly<Record<string, string | number>> = {}): string =>
  CATALOGUE[language.value][name].replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ""))

/** The text of a name that comes from the server, or `other` if the catalogue has none. */
export const textOr = (name: string, other: string): string => (Object.hasOwn(EN, name) ? t(name as TextName) : other)
