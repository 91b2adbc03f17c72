/** By how many degrees the writing on a picture is turned, counterclockwise: 90 runs from the bottom to the top. */
export type Turn = 0 | 90 | 180 | 270

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The place of a box when its picture, of this size, is turned so that the writing is upright. */
export const turnUpright = (
  { left, top, right, bottom }: Box,
  { width, height }: { readonly width: number; readonly height: number },
  turn: Turn,
): Box => {
  if (turn === 90) return { left: height - bottom, top: left, right: height - top, bottom: right }
  if (turn === 180) return { left: width - right, top: height - bottom, right: width - left, bottom: height - top }
  if (turn === 270) return { left: top, top: width - right, right: bottom, bottom: width - left }
  return { left, top, right, bottom }
}
