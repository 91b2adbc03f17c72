import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { csvLine } from "../../common/csvLine.ts"
import { LABEL_COLUMNS, type Label, type LabelPage } from "./contract.ts"

/** How each media type writes labels. */
export const LABEL_FILES = {
  "text/csv": {
    header: csvLine(LABEL_COLUMNS),
    line: (label: Label) => csvLine(LABEL_COLUMNS.map((column) => label[column])),
  },
  "application/x-ndjson": { header: "", line: (label: Label) => `${JSON.stringify(label)}\n` },
} as const
export type LabelFile = keyof typeof LABEL_FILES

/** All labels from the first page on. */
export const writeLabels = <E>(
  type: LabelFile,
  first: LabelPage,
  read: (cursor: string) => Effect.Effect<LabelPage, E>,
) => {
  const { header, line } = LABEL_FILES[type]
  const lines = Stream.paginate(first as LabelPage | string, (state) =>
    Effect.map(
      typeof state === "string" ? read(state) : Effect.succeed(state),
      ({ data, next_cursor }) => [[data.map(line).join("")], Option.fromNullishOr(next_cursor)] as const,
    ),
  )
  return Stream.encodeText(Stream.concat(Stream.make(header), lines))
}
