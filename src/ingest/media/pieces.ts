import type {
  AudioCodec,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  FlacOutputFormat,
  Input,
  InputAudioTrack,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WavOutputFormat,
} from "mediabunny"
import { importPackage } from "../../core/common/optionalPackage.ts"
import { LIMITS } from "../document.ts"
import { type ByteSource, mp3Delay } from "./mp3Delay.ts"
import { tooLong } from "../sandbox/errors.ts"
import { UnreadableError } from "../UnreadableError.ts"

type Media = typeof import("mediabunny")

let loaded: Promise<Media> | undefined

const loadMedia = async (): Promise<Media> => {
  const media = await importPackage("mediabunny", () => import("mediabunny"))
  // The operator cannot fix what the library warns about.
  media.Logging.level = media.LogLevel.Errors
  return media
}

/** A part of a recording's sound as a separate file that begins at `start` seconds of the recording. */
export interface MediaPiece {
  readonly start: number
  /** The end of the previous piece: the sound before this point is a repetition. */
  readonly from: number
  readonly end: number
  /** Seconds of the whole recording. */
  readonly duration: number
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface PieceLimits {
  /** The bytes of one piece's file. */
  readonly maxBytes: number
  /** The sound in one piece. */
  readonly maxSeconds: number
}

/** Each piece is full except for a packet, in bytes or in time; a file with more pieces has timestamps that jump. */
const maxPieces = (size: number, { maxBytes, maxSeconds }: PieceLimits) =>
  2 + 2 * Math.ceil(size / maxBytes + LIMITS.recordingSeconds / maxSeconds)

/**
 * Splits a recording's sound, still encoded and without video, into pieces within the limits. Each piece continues
 * the previous one without a gap and repeats the few packets that a decoder needs to synchronize;
 * only one is in memory at a time. Throws for a recording that is too long before the first piece.
 */
export async function* pieces(bytes: ByteSource, limits: PieceLimits): AsyncGenerator<MediaPiece, void, void> {
  const media = await (loaded ??= loadMedia())
  using input = new media.Input({
    formats: [media.MP4, media.QTFF, media.MP3, media.WAVE],
    source: new media.CustomSource({
      getSize: () => bytes.size,
      read: (start, end) => bytes.read(start, end),
      prefetchProfile: "fileSystem",
      handleUnhandledError: () => {},
    }),
  })
  const track = await readable(findTrack(input))
  const container = chooseContainer(media, await readable(track.getCodec()))
  const duration = await readable(input.computeDuration([track]))
  if (duration > LIMITS.recordingSeconds) throw tooLong()
  const silence = container.codec === "mp3" ? (await mp3Delay(bytes)) / (await track.getSampleRate()) : 0
  const recent: Array<EncodedPacket> = []
  let current: Piece | undefined
  let left = maxPieces(bytes.size, limits)
  for await (const packet of readPackets(media, track)) {
    if (packet.data.length + OVERHEAD_BYTES > limits.maxBytes || left === 0) throw damaged()
    if (packet.timestamp > LIMITS.recordingSeconds) throw tooLong()
    if (current !== undefined && !current.takes(packet, limits)) {
      yield await current.finish(duration - silence)
      current = undefined
      left--
    }
    if (current === undefined) {
      current = await Piece.begin(media, container, track, (recent[0] ?? packet).timestamp, silence)
      for (const before of recent) await current.addLead(before)
    }
    await current.add(packet)
    recent.push(packet)
    if (recent.length > container.lead) recent.shift()
  }
  if (current === undefined) throw silent()
  yield await current.finish(duration - silence)
}

const findTrack = async (input: Input) => {
  const track = await input.getPrimaryAudioTrack()
  if (track === null) throw silent()
  return track
}

/** Reports what mediabunny cannot parse as damage; passes errors of the byte store on. */
const readable = async <A>(reading: Promise<A>): Promise<A> => {
  try {
    return await reading
  } catch (error) {
    throw asUnreadable(error)
  }
}

const asUnreadable = (error: unknown) =>
  error instanceof UnreadableError || (error instanceof Error && "_tag" in error) ? error : damaged()

async function* readPackets(media: Media, track: InputAudioTrack): AsyncGenerator<EncodedPacket, void, void> {
  try {
    yield* new media.EncodedPacketSink(track).packets()
  } catch (error) {
    throw asUnreadable(error)
  }
}

const damaged = () =>
  new UnreadableError(
    "damaged",
    "This recording is damaged or cut off: its sound cannot be read. Export it again and upload the new file.",
  )

const silent = () =>
  new UnreadableError("empty", "This recording has no sound, so nothing can be transcribed. Upload one that has.")

interface Container {
  readonly codec: AudioCodec
  /** Packets that a decoder needs to synchronize. */
  readonly lead: number
  readonly extension: string
  readonly type: string
  readonly format: () => Mp3OutputFormat | Mp4OutputFormat | OggOutputFormat | FlacOutputFormat | WavOutputFormat
}

/** A container that transcribers accept and that holds this codec without re-encoding. */
const chooseContainer = (media: Media, codec: AudioCodec | null): Container => {
  if (codec === "mp3") {
    return {
      codec,
      lead: 10,
      extension: "mp3",
      type: "audio/mpeg",
      format: () => new media.Mp3OutputFormat({ xingHeader: false }),
    }
  }
  if (codec === "aac") {
    return {
      codec,
      lead: 1,
      extension: "m4a",
      type: "audio/mp4",
      format: () => new media.Mp4OutputFormat({ fastStart: "in-memory" }),
    }
  }
  if (codec === "opus" || codec === "vorbis") {
    return { codec, lead: 4, extension: "ogg", type: "audio/ogg", format: () => new media.OggOutputFormat() }
  }
  if (codec === "flac")
    return { codec, lead: 0, extension: "flac", type: "audio/flac", format: () => new media.FlacOutputFormat() }
  if (codec !== null && new media.WavOutputFormat().getSupportedCodecs().includes(codec)) {
    return { codec, lead: 0, extension: "wav", type: "audio/wav", format: () => new media.WavOutputFormat() }
  }
  throw new UnreadableError(
    "unsupported",
    "The sound of this recording is encoded in a way that cannot be transcribed. Convert it to MP3 or to MP4 with AAC sound, and upload that.",
  )
}

/** Bytes of a piece's file besides its sound: headers, and the tables of an MP4. */
const OVERHEAD_BYTES = 16 * 1024
const PACKET_OVERHEAD_BYTES = 24

class Piece {
  readonly #output: Output<ReturnType<Container["format"]>, BufferTarget>
  readonly #source: EncodedAudioPacketSource
  readonly #container: Container
  readonly #config: AudioDecoderConfig | null
  readonly #start: number
  readonly #silence: number
  #from: number
  #end: number
  #size = OVERHEAD_BYTES

  private constructor(
    media: Media,
    container: Container,
    config: AudioDecoderConfig | null,
    start: number,
    silence: number,
  ) {
    this.#container = container
    this.#config = config
    this.#start = start
    this.#end = start
    this.#silence = silence
    this.#from = start
    this.#source = new media.EncodedAudioPacketSource(container.codec)
    this.#output = new media.Output({ format: container.format(), target: new media.BufferTarget() })
    this.#output.addAudioTrack(this.#source)
  }

  static async begin(media: Media, container: Container, track: InputAudioTrack, start: number, silence: number) {
    const piece = new Piece(media, container, await track.getDecoderConfig(), start, silence)
    await piece.#output.start()
    return piece
  }

  takes({ data, timestamp, duration }: EncodedPacket, { maxBytes, maxSeconds }: PieceLimits) {
    return (
      this.#size + data.length + PACKET_OVERHEAD_BYTES <= maxBytes && timestamp + duration - this.#start <= maxSeconds
    )
  }

  async add(packet: EncodedPacket) {
    this.#size += packet.data.length + PACKET_OVERHEAD_BYTES
    this.#end = Math.max(this.#end, packet.timestamp + packet.duration)
    const moved = packet.clone({ timestamp: Math.max(0, packet.timestamp - this.#start) })
    await this.#source.add(moved, this.#config === null ? {} : { decoderConfig: this.#config })
  }

  async addLead(packet: EncodedPacket) {
    await this.add(packet)
    this.#from = this.#end
  }

  async finish(duration: number): Promise<MediaPiece> {
    await this.#output.finalize()
    const { extension, type } = this.#container
    return {
      start: this.#start - this.#silence,
      from: this.#from - this.#silence,
      end: this.#end - this.#silence,
      duration: Math.max(duration, this.#end - this.#silence),
      name: `recording.${extension}`,
      type,
      bytes: new Uint8Array(this.#output.target.buffer ?? new ArrayBuffer(0)),
    }
  }
}
