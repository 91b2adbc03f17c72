import type { WordBox } from "../../ports/document.ts"
import { type Html, markup } from "./html.ts"
import type { PartElement } from "./parts.ts"

/** A passage, by offsets in the document's text. */
export interface Cited {
  readonly start: number
  readonly end: number
}

/** Pixels around a marked word. */
const MARGIN = 3

/** The boxes of the cited words of an element. */
const citedBoxes = ({ start, picture }: PartElement, cited: Cited | undefined): ReadonlyArray<WordBox> =>
  cited === undefined
    ? []
    : (picture?.boxes ?? []).filter(([at, length]) => start + at < cited.end && start + at + length > cited.start)

/** The picture of a recognized page, on which the cited words are marked. `token` opens the document. */
export const writePicture = (
  elements: ReadonlyArray<PartElement>,
  cited: Cited | undefined,
  token: string,
): Html | undefined => {
  const first = elements.find(({ picture }) => picture !== undefined)
  if (first?.picture === undefined || first.place.kind !== "page") return undefined
  const { width, height } = first.picture
  const { page } = first.place
  const marks = elements
    .flatMap((element) => citedBoxes(element, cited))
    .map(
      ([, , left, top, wide, high]) =>
        markup`<rect x="${left - MARGIN}" y="${top - MARGIN}" width="${wide + 2 * MARGIN}" height="${high + 2 * MARGIN}"/>`,
    )
  // Relative, so that it works under any mount path. An image inside SVG would load at once, so the marks are a layer above one outside.
  return markup`<figure class="picture"><img loading="lazy" width="${width}" height="${height}" alt="Picture of page ${page}; its text is below" src="${`${token}/pages/${page}`}"><svg aria-hidden="true" viewBox="0 0 ${width} ${height}">${marks}</svg></figure>`
}
