import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Mp4OutputFormat, Output } from "mediabunny"

/** A silent frame of MPEG-2 Layer III at 16 kHz, one channel, 8 kbit/s. */
const FRAME = new Uint8Array(36)
FRAME.set([0xff, 0xf3, 0x18, 0xc4])
const FRAME_SECONDS = 576 / 16_000

const framesOf = (seconds: number) => Math.ceil(seconds / FRAME_SECONDS)

/** Makes an MP3 of silence in seconds, for machines without an encoder. */
export const silentMp3 = (seconds: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(framesOf(seconds) * FRAME.length)
  for (let at = 0; at < bytes.length; at += FRAME.length) bytes.set(FRAME, at)
  return bytes
}

/** Makes an MP4 with the same audio. */
export const silentMp4 = async (seconds: number): Promise<Uint8Array<ArrayBuffer>> => {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target: new BufferTarget() })
  const source = new EncodedAudioPacketSource("mp3")
  output.addAudioTrack(source)
  await output.start()
  const decoderConfig = { codec: "mp3", sampleRate: 16_000, numberOfChannels: 1 }
  for (let n = 0; n < framesOf(seconds); n++) {
    await source.add(new EncodedPacket(FRAME, "key", n * FRAME_SECONDS, FRAME_SECONDS), { decoderConfig })
  }
  await output.finalize()
  return new Uint8Array(output.target.buffer!)
}
