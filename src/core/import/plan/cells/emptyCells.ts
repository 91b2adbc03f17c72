import type { CellKind } from "../fields/cellKinds.ts"

/**
 * Texts that spreadsheets, databases and CRMs write into cells that have no value. `NA` is not among them: it is a region.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  (
    "-|--|---|n/a|n.a.|n/d|n.d.|#n/a|#na|null|(null)|none|(none)|--none--|-none-|nil|undefined|nan|(blank)|(empty)|(no value)|(leer)|(kein wert)|(vide)|(aucune valeur)|(en blanco)|(sin valor)|(em branco)|(sem valor)|" +
    "(keine)|(aucun)|(ninguno)|(nenhum)|(nessuno)|[null]|<null>|<none>|[none]|?|??|???|k.a.|k. a.|--kein--|--aucun--|--ninguno--|--nenhum--|-kein-|-aucun-|-ninguno-|-nenhum-|\\n|#ref!|#div/0!|#value!|#name?|#num!|#null!|#error!"
  ).split("|"),
)

/** How a placeholder may begin; most cells begin otherwise. */
const FIRST = /^[-#([<?\\knu\u2010-\u2015\u2212]/i

/** Whether a trimmed cell stands for no value, although it has text. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= 15 &&
  FIRST.test(text) &&
  PLACEHOLDERS.has(text.replaceAll(/[\u2010-\u2015\u2212]/g, "-").toLowerCase())

/**
 * Texts that stand for no value where a name, a number or a date belongs: as a region or a stage, some of them are values. "Other" and
 * "No decision" are values everywhere.
 */
const NO_VALUES: ReadonlySet<string> = new Set(
  (
    "na|tbd|tba|tbc|t.b.d.|t.b.c.|to be determined|to be confirmed|to be advised|to be defined|not set|not applicable|not available|not known|unknown|none identified|none known|no date|no amount|" +
    "unassigned|not assigned|no owner|no competitor|no competitors|no competition|no known competitor|no known competitors|no competitor identified|no competitors identified|no one|nobody|niemand|personne|nadie|ninguém|" +
    "keine|keiner|keines|unbekannt|nicht bekannt|nicht zutreffend|nicht zugewiesen|nicht zugeordnet|noch offen|entfällt|kein datum|kein betrag|kein besitzer|kein inhaber|kein wettbewerber|keine wettbewerber|kein wettbewerb|keine angabe|" +
    "aucun|aucune|inconnu|inconnue|à définir|a definir|à déterminer|sans objet|non applicable|non défini|non renseigné|non attribué|non attribuée|aucun concurrent|aucune concurrence|sans propriétaire|pas de date|" +
    "ninguno|ninguna|desconocido|desconocida|por definir|por determinar|no aplica|no disponible|no asignado|sin asignar|sin propietario|sin competidor|sin competencia|ningún competidor|sin fecha|" +
    "nenhum|nenhuma|desconhecido|a definir|não definido|não aplicável|não se aplica|não atribuído|sem proprietário|sem responsável|sem concorrente|nenhum concorrente|sem data|" +
    "nessuno|nessuna|sconosciuto|da definire|non assegnato|non applicabile|brak|nieznany|なし|無し|不明|未定|未設定|該当なし"
  ).split("|"),
)
const MAX_NO_VALUE = Math.max(...[...NO_VALUES].map((text) => text.length)) + 2

/** Days that databases, spreadsheets and programs write for none: the first and last of their calendars. */
const NO_DAY =
  /^(?:(?:0001|1753|1900|1970)-01-01|1899-12-3[01]|1900-01-00|9999-12-31|0?1([./])0?1\1(?:0001|1753|1900|1970)|(?:31([./])12|12([./])31)(?:\2|\3)9999)(?:[T ]0?0:00(?::00(?:\.0+)?)?(?:Z|\+00:?00)?)?$/
const MAX_NO_DAY = 30

/** Fields of names besides lists. */
const NAMED: ReadonlySet<string> = new Set(["owner", "client"])
const KINDS: ReadonlySet<CellKind> = new Set(["day", "date", "money", "number", "list"])

/** A property of the CRM may have such a day, as that of a birth. */
const isPart = (field: string): boolean => field.includes(".")

/** Texts that stand for no value in columns of names, numbers and dates only. They may be in brackets. */
export const isNoValue = (
  { kind, field }: { readonly kind: CellKind; readonly field: string },
  text: string,
): boolean =>
  (text.length <= MAX_NO_VALUE &&
    (KINDS.has(kind) || NAMED.has(field)) &&
    NO_VALUES.has(text.toLowerCase().replace(/^\((.*)\)$/, "$1"))) ||
  ((kind === "day" || kind === "date") && text.length <= MAX_NO_DAY && !isPart(field) && NO_DAY.test(text))
