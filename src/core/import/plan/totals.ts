/** Labels of totals and averages, in the languages of the large CRMs. */
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?(?: (?:amount|value|revenue))?|sum|sums|summe|gesamt|gesamtsumme|gesamtergebnis|zwischensumme|ergebnis|total général|sous-total|somme|suma|total general|totale|subtotaal|totaal|average|durchschnitt|mittelwert|moyenne|promedio|media aritmetica|gemiddelde|sub-?total)\b[\s:]*(?:\(.*\)|\d[\d\s.,]*.*)?$/i

/** Labels of the figures of a total, each in a row of its own. */
const FIGURE = /^(?:sum|avg|average|min|max|median|(?:record )?count|anzahl|nombre|recuento)$/i

const COUNTED = "records|rows|deals|opportunities|datensätze|zeilen|einträge|enregistrements|registros"
/** Labels that count the rows: `Count: 2`, `Total records: 2`, `2 records`. */
const COUNT = new RegExp(
  String.raw`^(?:(?:(?:grand )?total )?(?:(?:record |row )?count|(?:number of )?(?:${COUNTED})|anzahl|nombre|recuento)\s?[:=(]\s?\d[\d.,]*\)?|\d[\d.,]* (?:${COUNTED}|items|results|record|row|deal|opportunity))$`,
  "iu",
)

export const isTotalLabel = (text: string): boolean => TOTAL.test(text) || COUNT.test(text)

export const isFigureLabel = (text: string): boolean => FIGURE.test(text)

/** Whether a label can be nothing else: a company may be called Total, but not "Grand Totals (2 records)". */
export const isSureLabel = (text: string): boolean =>
  COUNT.test(text) || (TOTAL.test(text) && /[\d(:]|^(?:grand|sub)/i.test(text))
