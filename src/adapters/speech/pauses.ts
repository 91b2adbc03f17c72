/** Samples a second of what the local engine hears: 16 bits, one channel. */
export const RATE = 16_000
/** Samples of 10 ms. */
export const FRAME = RATE / 100

/** A stretch of a recording, in frames of 10 ms. */
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

/** What a pause keeps on either side, where somebody speaks. */
const MARGIN = 15

/** Over how many frames loudness is evened out, and the fewest that are speech rather than a click. */
const SYLLABLE = 5

/** How far below the loud parts, in decibels, the faint parts of speech are. */
const RANGE = 25

/** Where somebody may be speaking, in order: all of `frames` but what lies deep in a pause. Faint ends of words are in the margins. */
export const speech = (frames: Float32Array): ReadonlyArray<Stretch> => {
  const decibels = frames.map((frame) => 20 * Math.log10(frame + 1))
  const even = decibels.map((_, at) => {
    const near = decibels.subarray(Math.max(0, at - (SYLLABLE >> 1)), at + (SYLLABLE >> 1) + 1)
    return near.reduce((all, each) => all + each, 0) / near.length
  })
  // Digital silence is nobody, however quiet the rest.
  const least = Math.max(0, (even.toSorted()[Math.floor(even.length * 0.95)] ?? 0) - RANGE)
  const found: Array<Stretch> = []
  for (let at = 0; at < even.length; at++) {
    const from = at
    while (even[at]! > least) at++
    if (at - from < SYLLABLE) continue
    const to = Math.min(even.length, at + MARGIN)
    const last = found.at(-1)
    if (last !== undefined && from - MARGIN <= last.to) found[found.length - 1] = { from: last.from, to }
    else found.push({ from: Math.max(0, from - MARGIN), to })
  }
  return found
}

/** The frame of a recording that is at `frame` of its `kept` stretches, set end to end. */
export const frameOf = (kept: ReadonlyArray<Stretch>, frame: number): number => {
  let left = frame
  for (const { from, to } of kept) {
    if (left < to - from) return from + left
    left -= to - from
  }
  return (kept.at(-1)?.to ?? 0) + left
}
