import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Ocr, OcrFailed, PageNotRecognized } from "../../core/ports/Ocr.ts"
import { find, pipe } from "../programs.ts"
import { linesOfHocr } from "./hocr.ts"

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
          const hocr = yield* Effect.mapError(
            pipe(program.path, ["stdin", "stdout", ...settings, "hocr"], bytes, LIMITS),
            ({ tooSlow }) =>
              new PageNotRecognized({ reason: tooSlow ? "tesseract took too long" : "tesseract failed" }),
          )
          return { width, height, pixelsPerInch, content: linesOfHocr(hocr) }
        }, one.withPermits(1)),
      }
    }),
  )
