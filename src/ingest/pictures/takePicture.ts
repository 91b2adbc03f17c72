import { concat } from "../../core/common/bytes.ts"
import type { PagePicture } from "../document.ts"
import type { Zip } from "../safety/zip.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { pictureHead } from "./pictureHead.ts"
import type { Shown } from "./Pictures.ts"

/** Decoded, four bytes a pixel. */
const MAX_PIXELS = 64_000_000
/** Most endpoints that recognize pictures take less. */
const MAX_BYTES = 20 * 1024 * 1024
/** The width of a picture whose size the document leaves to a layout. */
const USUAL_INCHES = 10

/**
 * Takes the picture with this number, counted from 1, out of an Office file, as it is: native code decodes it only in the engine's
 * own process. Throws `UnreadableError`.
 */
export const takePicture = (zip: Zip, shown: ReadonlyArray<Shown>, number: number): PagePicture => {
  const picture = shown[number - 1]
  if (picture === undefined) throw new UnreadableError("damaged", `The file has no large picture ${number}.`)
  if (zip.size(picture.part) > MAX_BYTES) throw tooLarge(number)
  const bytes = concat([...zip.read(picture.part)])
  const head = pictureHead(bytes)
  if (head === undefined) throw new UnreadableError("damaged", `Picture ${number} of the file is damaged.`)
  if (head.width * head.height > MAX_PIXELS) throw tooLarge(number)
  return { ...head, bytes, pixelsPerInch: head.width / (picture.width || USUAL_INCHES) }
}

const tooLarge = (number: number) =>
  new UnreadableError("too-large", `Picture ${number} of the file is too large to be recognized.`)
