import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Ocr, OcrFailed, PageNotRecognized } from "../../core/ports/Ocr.ts"
import { find, pipe } from "../programs.ts"
import { type Recognized, readHocr } from "./hocr.ts"

/** The program and the languages that it may recognize, as tesseract names them: `eng`, `deu`. */
export interface Tesseract {
  readonly path: string
  readonly languages: ReadonlyArray<string>
}

/** A dense page takes two seconds and 70 MB. */
const LIMITS = { seconds: 60, maxMegabytes: 1024, maxBytes: 16 * 1024 * 1024 }
/** Each language takes its own time on every line. */
const MAX_DEFAULT_LANGUAGES = 3
/** Data that tells scripts and formulas, no languages. */
const NO_LANGUAGES = new Set(["osd", "equ"])

const NOTHING = new Uint8Array()

/** Finds tesseract and its installed languages, as Debian's `tesseract-ocr` and `tesseract-ocr-deu` install them; undefined if it is missing. */
export const findTesseract = async (): Promise<Tesseract | undefined> => {
  const path = await find("tesseract")
  if (path === undefined) return undefined
  const listed = await Effect.runPromise(Effect.orElseSucceed(pipe(path, ["--list-langs"], NOTHING, LIMITS), () => ""))
  const languages = listed
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((name) => /^[A-Za-z_]{3,}$/.test(name) && !NO_LANGUAGES.has(name))
  return languages.length === 0 ? undefined : { path, languages }
}

/** The languages to use: the chosen ones; else all, if they are few; else English, or the first. */
export const chooseLanguages = ({ languages }: Tesseract, chosen: ReadonlyArray<string> | undefined) => {
  if (chosen !== undefined) return chosen
  if (languages.length <= MAX_DEFAULT_LANGUAGES) return languages
  return languages.includes("eng") ? ["eng"] : languages.slice(0, 1)
}

/** The page segmentation mode that looks first how the writing is turned; it takes .3 s more. */
const FIND_TURN = "1"
/** From 0 to 1. Upright print has more, and writing upside down .4 to .5. */
const UPRIGHT_CONFIDENCE = 0.75

const wordsOf = ({ content }: Recognized) => content.flatMap(({ words }) => words)

/** The mean of the words. */
const confidenceOf = (recognized: Recognized) => {
  const words = wordsOf(recognized)
  return words.reduce((sum, { confidence = 0 }) => sum + confidence, 0) / Math.max(1, words.length)
}

/** Whether the engine reads signs without a sense, or words from the top to the bottom, whose boxes are higher than wide. */
const mayBeTurned = (recognized: Recognized) => {
  const words = wordsOf(recognized).filter(({ text }) => text.length >= MIN_LENGTH)
  const high = words.filter(({ left, top, right, bottom }) => bottom - top > right - left)
  return words.length > 0 && (high.length * 2 > words.length || confidenceOf(recognized) < UPRIGHT_CONFIDENCE)
}
/** Shorter words are higher than wide when they are upright. */
const MIN_LENGTH = 4

/** Whether turned writing is read better than as if it were upright. */
const isBetter = (turned: Recognized, upright: Recognized) =>
  turned.turn !== undefined && confidenceOf(turned) >= confidenceOf(upright)

/** Recognizes pages by tesseract on this machine, one at a time. */
export const layerTesseract = (program: Tesseract, chosen?: ReadonlyArray<string>) =>
  Layer.effect(
    Ocr,
    Effect.map(Semaphore.make(1), (one) => {
      const languages = chooseLanguages(program, chosen)
      const missing = languages.filter((language) => !program.languages.includes(language))
      return {
        recognize: Effect.fn("Ocr.tesseract")(function* ({ bytes, width, height, pixelsPerInch }) {
          if (missing.length > 0) {
            const names = missing.join(", ")
            return yield* new OcrFailed({
              reason: `tesseract lacks ${names}; install Debian's tesseract-ocr-${missing[0]} on the server, or correct SIGHTLINE_OCR_LANGUAGES, then reprocess the document`,
            })
          }
          const resolution = String(Math.round(pixelsPerInch))
          // It would look at every line again for light text on dark ground.
          const settings = ["-l", languages.join("+"), "--dpi", resolution, "-c", "tessedit_do_invert=0"]
          const read = (...more: ReadonlyArray<string>) =>
            pipe(program.path, ["stdin", "stdout", ...settings, ...more, "hocr"], bytes, LIMITS).pipe(
              Effect.map((hocr) => readHocr(hocr, { width, height })),
            )
          const upright = yield* Effect.mapError(
            read(),
            ({ tooSlow }) =>
              new PageNotRecognized({ reason: tooSlow ? "tesseract took too long" : "tesseract failed" }),
          )
          const turned = mayBeTurned(upright)
            ? yield* Effect.orElseSucceed(read("--psm", FIND_TURN), () => upright)
            : upright
          return { width, height, pixelsPerInch, ...(isBetter(turned, upright) ? turned : upright) }
        }, one.withPermits(1)),
      }
    }),
  )
