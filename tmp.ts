import * as Effect from "effect/Effect"
import { findTesseract, layerTesseract } from "./src/adapters/ocr/tesseract.ts"
import { Ocr } from "./src/core/ports/Ocr.ts"
import { READERS, DRAWERS } from "./src/ingest/readers.ts"
import { corpus } from "./test/ingest/support/corpus.ts"
const t = await findTesseract()
const engine = await Effect.runPromise(Effect.provide(Ocr, layerTesseract(t!, ["eng"])))
let k = 0
for (const s of corpus.filter(({ format }) => format === "docx" || format === "pptx")) {
  const f = s.format as "docx" | "pptx"
  let doc
  try {
    doc = await READERS[f](s.bytes(), undefined, "pending")
  } catch {
    continue
  }
  const n = doc.warnings.find((w) => w.code === "pictures_without_text")?.pictures?.[0]?.to ?? 0
  for (let i = 1; i <= n; i++) {
    try {
      const p = await DRAWERS[f]!(s.bytes(), i)
      const r = await Effect.runPromise(engine!.recognize(p))
      console.log("##", ++k, f, p.type, p.width, p.height, Math.round(p.pixelsPerInch))
      if (typeof r.content !== "string")
        for (const l of r.content) {
          const len = l.words.reduce((a, w) => a + w.text.length, 0)
          const c = l.words.reduce((a, w) => a + w.text.length * (w.confidence ?? 0), 0) / len
          console.log(
            c.toFixed(2),
            l.words
              .map((w) => w.text)
              .join(" ")
              .slice(0, 110),
          )
        }
    } catch (e: any) {
      console.log("  ", i, e.reason ?? e)
    }
  }
}
