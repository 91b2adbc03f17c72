import type { CellKind } from "./cellKinds.ts"

/**
 * Texts that spreadsheets, databases and CRMs write into cells that have no value. `NA` is not among them: it is a region.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  (
    "-|--|---|n/a|n.a.|#n/a|#na|null|(null)|none|(none)|--none--|nil|undefined|nan|(blank)|(empty)|(leer)|(vide)|(en blanco)|" +
    "(keine)|(aucun)|(ninguno)|(nessuno)|[null]|<null>|<none>|[none]|?|??|???|k.a.|k. a.|--kein--|--aucun--|--ninguno--|\\n|#ref!|#div/0!|#value!|#name?|#num!|#null!|#error!"
  ).split("|"),
)

/** How a placeholder may begin; most cells begin otherwise. */
const FIRST = /^[-#([<?\\knu\u2010-\u2015\u2212]/i

/** Whether a trimmed cell stands for no value, although it has text. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= 13 &&
  FIRST.test(text) &&
  PLACEHOLDERS.has(text.replaceAll(/[\u2010-\u2015\u2212]/g, "-").toLowerCase())

const NO_DATE = /^(?:tb[ad]|not set|no date|kein datum)$/i
const NO_AMOUNT = /^(?:tb[ad]|not set|no amount|unknown|unbekannt)$/i
const NO_OWNER =
  /^\(?(?:unassigned|not assigned|no owner|nicht zugewiesen|kein besitzer|non attribuée?|sin asignar|sin propietario|non assegnato)\)?$/i

/** Texts that stand for no value in some columns only. */
export const isNoValue = (
  { kind, field }: { readonly kind: CellKind; readonly field: string },
  text: string,
): boolean =>
  kind === "day" || kind === "date"
    ? NO_DATE.test(text)
    : kind === "money"
      ? NO_AMOUNT.test(text)
      : field === "owner" && NO_OWNER.test(text)

/** Entries of a list of competitors that say that there is none. */
export const isNoCompetitor = (text: string): boolean => /^no (?:known )?compet(?:itors?|ition)$/i.test(text)
