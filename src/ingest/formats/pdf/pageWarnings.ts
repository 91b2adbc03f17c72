import type { PageRange, Warning } from "../../../core/ports/document.ts"

/** Ranges that a warning lists at most. A document may have thousands of pages. */
const MAX_RANGES = 100
/** Ranges that its message names at most. */
const MAX_NAMED = 12

/** The ranges of ascending numbers. */
export const joinRanges = (pages: ReadonlyArray<number>) => {
  const ranges: Array<PageRange> = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last !== undefined && last.to === page - 1) ranges[ranges.length - 1] = { from: last.from, to: page }
    else ranges.push({ from: page, to: page })
  }
  return ranges
}

/** "Page 3", "Pages 2 to 21", "Pages 2, 5 and 7 to 9". */
const nameRanges = (ranges: ReadonlyArray<PageRange>) => {
  const names = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`))
  if (names.length > MAX_NAMED) return `Pages ${names.slice(0, MAX_NAMED).join(", ")} and more`
  const last = names.pop()!
  if (names.length > 0) return `Pages ${names.join(", ")} and ${last}`
  return ranges[0]!.from === ranges[0]!.to ? `Page ${last}` : `Pages ${last}`
}

const warning = (
  code: Warning["code"],
  pages: ReadonlyArray<number>,
  say: (named: string, one: boolean) => string,
): ReadonlyArray<Warning> => {
  if (pages.length === 0) return []
  const ranges = joinRanges(pages)
  return [{ code, message: say(nameRanges(ranges), pages.length === 1), pages: ranges.slice(0, MAX_RANGES) }]
}

/** `pages` in ascending order. */
export const pagesUnreadable = (pages: ReadonlyArray<number>) =>
  warning(
    "pages_unreadable",
    pages,
    (named) => `${named} could not be read. Open the file in a PDF viewer, save it again, and upload the new file.`,
  )

/** `pages` in ascending order. `isTried`: an engine found no text. */
export const pagesWithoutText = (pages: ReadonlyArray<number>, isTried: boolean) =>
  warning("pages_without_text", pages, (named, one) =>
    isTried
      ? `${named} ${arePictures(one)} on which no text was recognized. Look at ${one ? "it" : "them"} in the file.`
      : `${named} ${arePictures(one)}, whose text was not read. Run text recognition (OCR) on the file and upload the result.`,
  )

/** For pages that an engine will recognize. `pages` in ascending order. */
export const pagesPending = (pages: ReadonlyArray<number>) =>
  warning(
    "pages_without_text",
    pages,
    (named, one) =>
      `${named} ${arePictures(one)}. The run adds ${one ? "its" : "their"} text as soon as it is recognized.`,
  )

/** `pages` in ascending order. */
export const pagesRecognized = (pages: ReadonlyArray<number>) =>
  warning(
    "pages_recognized",
    pages,
    (named, one) =>
      `${named} ${arePictures(one)}, whose text was recognized. It may contain mistakes: compare it with the picture before you quote it.`,
  )

/** `pages` in ascending order. */
export const marksUnread = (pages: ReadonlyArray<number>) =>
  warning(
    "marks_unread",
    pages,
    (named, one) =>
      `${named} ${one ? "draws" : "draw"} marks in a table, such as ticks or circles, that are shapes and not text: they were not read. Look at the ${one ? "page" : "pages"} in the file.`,
  )

const arePictures = (one: boolean) => (one ? "is a picture" : "are pictures")
