import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import { nameDelimiter } from "../../table/delimiter.ts"
import type { TableFacts } from "../../table/Table.ts"

const MAX_SHEETS_SHOWN = 5
const describeUnread = ({ sheet = "", unread = [] }: TableFacts): string => {
  const shown = unread.slice(0, MAX_SHEETS_SHOWN).map((each) => `'${shorten(each)}'`)
  const others = shown.join(", ") + (unread.length > shown.length ? " and more" : "")
  return `only the sheet '${shorten(sheet)}' is read; ${others} also ${unread.length === 1 ? "holds" : "hold"} a table and ${unread.length === 1 ? "is" : "are"} not imported: import the file again with 'sheet' for each that has records`
}

/** Warns of sheets that are not read, and of a delimiter that the rows contradict. */
export const noticeFacts = (facts: TableFacts, notices: Notices): void => {
  if (facts.passedOver !== undefined) {
    const [read, passed] = [shorten(facts.sheet ?? ""), shorten(facts.passedOver)]
    const message = `the sheet '${read}' is read, because the first one, '${passed}', has no headers of such records: set 'sheet' to read another`
    notices.add("sheet_chosen", { example: read, message })
  }
  for (const sheet of facts.unread ?? []) {
    notices.add("sheets_unread", { example: sheet, message: describeUnread(facts) })
  }
  const { delimiter, statedDelimiter: stated } = facts
  if (delimiter !== undefined && stated !== undefined) {
    const message = `line 1 says that a ${nameDelimiter(stated)} separates the cells, but the rows have a ${nameDelimiter(delimiter)} between them, and are read so`
    notices.add("separator_contradicted", { line: 1, example: `sep=${stated}`, message })
  }
}
