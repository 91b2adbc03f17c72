import { shorten } from "../common/shorten.ts"

/** The codes of warnings. Callers may rely on the codes; the messages may change. */
export const NOTICE_CODES = [
  "stage_unclear",
  "stage_kept",
  "stage_missing",
  "stage_contradicted",
  "decimal_unclear",
  "date_order_unclear",
  "date_of_period",
  "other_currency",
  "amount_scaled",
  "amount_approximate",
  "unit_unclear",
  "id_rounded",
  "id_of_numbers",
  "id_repeated",
  "name_repeated",
  "name_without_client",
  "name_missing",
  "deal_named",
  "group_written_once",
  "same_id_other_name",
  "unknown_id",
  "name_merged",
  "new_name_like_existing",
  "list_unsplit",
  "footer_skipped",
  "total_skipped",
  "table_skipped",
  "table_beside",
  "deleted_skipped",
  "struck_skipped",
  "deletes_records",
  "short_row",
  "row_of_one_cell",
  "row_hidden",
  "column_hidden",
  "placeholder_emptied",
  "column_unmapped",
  "column_like_field",
  "cell_left_out",
  "formulas_not_calculated",
  "sheet_chosen",
  "sheets_unread",
  "separator_contradicted",
  "encoding_guessed",
] as const
export type NoticeCode = (typeof NOTICE_CODES)[number]

/** All warnings of one code about one field. */
export interface Notice {
  readonly code: NoticeCode
  readonly field?: string
  /** Describes the first occurrence. */
  readonly message: string
  readonly count: number
  /** The first lines, ascending. */
  readonly lines: ReadonlyArray<number>
  /** The first distinct values. */
  readonly examples: ReadonlyArray<string>
}

/** One occurrence. */
export interface Occurrence {
  readonly field?: string | undefined
  readonly line?: number | undefined
  readonly example?: string | undefined
  readonly message: string
  /** Separates occurrences of one code and field that mean different things. */
  readonly kind?: string | undefined
}

const MAX_LINES = 10
const MAX_EXAMPLES = 5
/** Columns that are not imported are examples of nothing: each may be one that is missed. */
const MAX_COLUMNS_NAMED = 20
/** Fields of one code. Occurrences in further fields count together, without a field. */
const MAX_FIELDS = 50

interface Collected {
  readonly code: NoticeCode
  readonly field?: string
  readonly message: string
  count: number
  readonly lines: Array<number>
  readonly examples: Array<string>
}

/** Collects warnings by code and field. Its memory is bounded, whatever a file contains. */
export class Notices {
  readonly #collected = new Map<NoticeCode, Map<string | undefined, Collected>>()

  /** `planned`: those of the plan by which a file is read. */
  constructor(planned: ReadonlyArray<Notice> = []) {
    for (const each of planned) {
      const ofCode = this.#collected.get(each.code) ?? new Map<string | undefined, Collected>()
      this.#collected.set(each.code, ofCode)
      ofCode.set(each.field, { ...each, lines: [...each.lines], examples: [...each.examples] })
    }
  }

  add(code: NoticeCode, { field, line, example, message, kind }: Occurrence): void {
    const collected = this.#collect(code, field, message, kind)
    collected.count++
    if (line !== undefined) insertLine(collected.lines, line)
    if (example !== undefined && collected.examples.length < maxExamples(code)) {
      const short = shorten(example)
      if (!collected.examples.includes(short)) collected.examples.push(short)
    }
  }

  /** All notices, in the order of the codes, then of their first occurrences. */
  list(): ReadonlyArray<Notice> {
    return NOTICE_CODES.flatMap((code) =>
      [...(this.#collected.get(code)?.values() ?? [])].map((each) => ({
        ...each,
        lines: [...each.lines],
        examples: [...each.examples],
      })),
    )
  }

  #collect(code: NoticeCode, field: string | undefined, message: string, kind: string | undefined): Collected {
    let ofCode = this.#collected.get(code)
    if (ofCode === undefined) this.#collected.set(code, (ofCode = new Map()))
    const wanted = kind === undefined ? field : `${field ?? ""}\0${kind}`
    const isKept = ofCode.has(wanted) || ofCode.size < MAX_FIELDS
    const key = isKept ? wanted : undefined
    let collected = ofCode.get(key)
    if (collected === undefined) {
      collected = {
        code,
        ...(field === undefined || !isKept ? {} : { field }),
        message,
        count: 0,
        lines: [],
        examples: [],
      }
      ofCode.set(key, collected)
    }
    return collected
  }
}

export const maxExamples = (code: NoticeCode): number => (code === "column_unmapped" ? MAX_COLUMNS_NAMED : MAX_EXAMPLES)

/** Keeps the smallest lines, because batches of several types are written out of order. */
const insertLine = (lines: Array<number>, line: number): void => {
  if (lines.includes(line) || (lines.length === MAX_LINES && line > lines.at(-1)!)) return
  const at = lines.findIndex((each) => each > line)
  lines.splice(at === -1 ? lines.length : at, 0, line)
  lines.length = Math.min(lines.length, MAX_LINES)
}
