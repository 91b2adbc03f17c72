import { attribute, isOn } from "./office.ts"
import type { Attributes } from "./xml.ts"

/** The marks that Word shows for check boxes. */
const TICKED = "☒"
const UNTICKED = "☐"

interface FormField {
  isCheckBox: boolean
  isTicked: boolean
  readonly entries: Array<string>
  /** The chosen entry, by its place. */
  chosen: number
  /** The document has the field's value as text. */
  hasText: boolean
}

/** Word's limit is 25. */
const MAX_ENTRIES = 1000

/** Values of Word 2003's form fields (`w:ffData`): their ticks and choices are no text of the document. Nested fields end before those around them. */
export const formFields = () => {
  /** The open fields; undefined for those that are no form fields. */
  const open: Array<FormField | undefined> = []
  return {
    open: (name: string, attributes: Attributes): void => {
      if (name === "fldChar" && attribute(attributes, "fldCharType") === "begin") open.push(undefined)
      if (name === "ffData" && open.length > 0) {
        open[open.length - 1] = { isCheckBox: false, isTicked: false, entries: [], chosen: 0, hasText: false }
      }
      const field = open.at(-1)
      if (field === undefined) return
      if (name === "checkBox") field.isCheckBox = true
      // `checked` follows `default`.
      else if (name === "checked" || (name === "default" && field.isCheckBox)) field.isTicked = isOn(attributes)
      else if (name === "result" || name === "default") field.chosen = Number(attribute(attributes, "val")) || 0
      else if (name === "listEntry" && field.entries.length < MAX_ENTRIES)
        field.entries.push(attribute(attributes, "val") ?? "")
    },
    /** The document has text inside the open fields. */
    text: (value: string): void => {
      const field = open.at(-1)
      if (field !== undefined && value.trim() !== "") field.hasText = true
    },
    /** Ends a field with `w:fldChar`; returns the value that the document does not have as text. */
    end: (): string => {
      const field = open.pop()
      if (field === undefined || field.hasText) return ""
      if (field.isCheckBox) return field.isTicked ? TICKED : UNTICKED
      return field.entries[field.chosen] ?? ""
    },
  }
}
