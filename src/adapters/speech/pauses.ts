/** Samples a second of what the local engine hears: 16 bits, one channel. */
export const RATE = 16_000
const FRAME = RATE / 100

/** A stretch to hear at once, in frames of 10 ms. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The loudness of each whole frame of `samples`: the mean of the samples' distance from zero. */
export const loudness = (samples: Int16Array): Float32Array =>
  Float32Array.from({ length: Math.floor(samples.length / FRAME) }, (_, frame) => {
    let sum = 0
    for (let at = frame * FRAME; at < (frame + 1) * FRAME; at++) sum += Math.abs(samples[at]!)
    return sum / FRAME
  })

/** Frames over which a pause is judged. */
const PAUSE = 20

/** Stretches of at most `most` frames, cut in the quietest fifth of a second of their later half. */
export const stretches = (frames: Float32Array, most: number): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  let from = 0
  while (frames.length - from > most) {
    const to = quietest(frames, from + most / 2, from + most)
    found.push({ from, to })
    from = to
  }
  return frames.length > from ? [...found, { from, to: frames.length }] : found
}

const quietest = (frames: Float32Array, from: number, to: number) => {
  let sum = frames.subarray(from, from + PAUSE).reduce((all, frame) => all + frame, 0)
  let best = from
  let least = sum
  for (let at = from + 1; at + PAUSE <= to; at++) {
    sum += frames[at + PAUSE - 1]! - frames[at - 1]!
    if (sum < least) {
      least = sum
      best = at
    }
  }
  return best + PAUSE / 2
}
