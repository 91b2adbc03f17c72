/** Samples per second that the local engine accepts: 16 bits, one channel. */
export const SAMPLE_RATE = 16_000
/** Samples per frame of 10 ms. */
export const FRAME_SAMPLES = SAMPLE_RATE / 100

/** A stretch of a recording, in frames of 10 ms. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The loudness of each whole frame: the mean distance of its samples from zero. */
export const loudness = (samples: Int16Array): Float32Array =>
  Float32Array.from({ length: Math.floor(samples.length / FRAME_SAMPLES) }, (_, frame) => {
    let sum = 0
    for (let at = frame * FRAME_SAMPLES; at < (frame + 1) * FRAME_SAMPLES; at++) sum += Math.abs(samples[at]!)
    return sum / FRAME_SAMPLES
  })

/** The length of the window that finds a pause, in frames. */
const PAUSE_FRAMES = 20

/** Cuts into stretches of at most `most` frames, each at the quietest fifth of a second in the later half. */
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
  let sum = frames.subarray(from, from + PAUSE_FRAMES).reduce((all, frame) => all + frame, 0)
  let best = from
  let least = sum
  for (let at = from + 1; at + PAUSE_FRAMES <= to; at++) {
    sum += frames[at + PAUSE_FRAMES - 1]! - frames[at - 1]!
    if (sum < least) {
      least = sum
      best = at
    }
  }
  return best + PAUSE_FRAMES / 2
}

/** Frames of a pause that are kept beside speech. */
const MARGIN_FRAMES = 15

/** Frames over which loudness is smoothed, and the minimum length of speech: shorter sounds are clicks. */
const SYLLABLE_FRAMES = 5

/** Decibels between the loud and the faint parts of speech. */
const RANGE_DECIBELS = 25

/** Finds possible speech, in order: everything except the inside of pauses. The margins keep faint word endings. */
export const speech = (frames: Float32Array): ReadonlyArray<Stretch> => {
  const decibels = frames.map((frame) => 20 * Math.log10(frame + 1))
  const even = decibels.map((_, at) => {
    const near = decibels.subarray(Math.max(0, at - (SYLLABLE_FRAMES >> 1)), at + (SYLLABLE_FRAMES >> 1) + 1)
    return near.reduce((all, each) => all + each, 0) / near.length
  })
  // Digital silence is never speech, however quiet the rest.
  const least = Math.max(0, (even.toSorted()[Math.floor(even.length * 0.95)] ?? 0) - RANGE_DECIBELS)
  const found: Array<Stretch> = []
  for (let at = 0; at < even.length; at++) {
    const from = at
    while (even[at]! > least) at++
    if (at - from < SYLLABLE_FRAMES) continue
    const to = Math.min(even.length, at + MARGIN_FRAMES)
    const last = found.at(-1)
    if (last !== undefined && from - MARGIN_FRAMES <= last.to) found[found.length - 1] = { from: last.from, to }
    else found.push({ from: Math.max(0, from - MARGIN_FRAMES), to })
  }
  return found
}

/** Maps a frame of the concatenated `kept` stretches to its frame in the recording. */
export const findFrame = (kept: ReadonlyArray<Stretch>, frame: number): number => {
  let left = frame
  for (const { from, to } of kept) {
    if (left < to - from) return from + left
    left -= to - from
  }
  return (kept.at(-1)?.to ?? 0) + left
}
