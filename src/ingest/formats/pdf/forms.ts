import type { Element } from "../../document.ts"

interface Annotation {
  readonly annotationType?: number
  readonly subtype?: string
  readonly fieldType?: string
  readonly fieldName?: string
  readonly fieldValue?: unknown
  readonly alternativeText?: string
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly pushButton?: boolean
  readonly exportValue?: string
  readonly buttonValue?: string
  readonly hidden?: boolean
  readonly password?: boolean
  readonly contentsObj?: { readonly str?: string }
}

const CHECKED = "checked"
const NOTES = new Set(["Text", "FreeText", "Highlight", "Underline", "StrikeOut", "Squiggly", "Caret"])

const readValue = (field: Annotation): string => {
  if (field.password || field.pushButton || field.hidden) return ""
  if (field.checkBox || field.radioButton) {
    const chosen = field.fieldValue === (field.checkBox ? field.exportValue : field.buttonValue)
    return chosen && field.fieldValue !== "Off" ? CHECKED : ""
  }
  const values = Array.isArray(field.fieldValue) ? field.fieldValue : [field.fieldValue]
  return values.filter((value) => typeof value === "string" && value.trim() !== "").join(", ")
}

/** The human-readable label; undefined for a technical path such as `topmostSubform[0].Page1[0].f1_01[0]`. */
const labelOf = ({ alternativeText = "", fieldName = "" }: Annotation) =>
  alternativeText.trim() || (/^[\p{L}\d][^[\].]{0,60}$/u.test(fieldName) ? fieldName.trim() : "")

/** Reads one page's filled fields as "label: value", and its comments. */
export const formElements = (annotations: ReadonlyArray<Annotation>, page: number): ReadonlyArray<Element> =>
  annotations.flatMap((annotation): ReadonlyArray<Element> => {
    const place = { kind: "page", page } as const
    if (annotation.subtype === "Widget") {
      const value = readValue(annotation)
      const label = labelOf(annotation)
      return value === "" || (value === CHECKED && label === "")
        ? []
        : [{ kind: "form-value", text: label === "" ? value : `${label}: ${value}`, place }]
    }
    const note = NOTES.has(annotation.subtype ?? "") ? (annotation.contentsObj?.str ?? "").trim() : ""
    return note === "" ? [] : [{ kind: "note", text: note, place }]
  })
