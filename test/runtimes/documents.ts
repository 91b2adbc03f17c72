import type { DocumentFormat } from "../../src/ingest/readers.ts"
import { docx, paragraph, pptx, shape, sheetOf, xlsx } from "../ingest/support/office.ts"
import { japanesePdf } from "../ingest/support/japanese.ts"
import { pagesOf } from "../ingest/support/pdf.ts"

/** A document of each format that has a parser. */
export const FILES: Readonly<Record<string, readonly [DocumentFormat, Uint8Array]>> = {
  "lines.pdf": ["pdf", pagesOf([[{ text: "Rival cut its list price", y: 700 }], [{ text: "On page two", y: 700 }]])],
  "japanese.pdf": ["pdf", japanesePdf],
  "notes.docx": ["docx", docx(paragraph("Grüße &lt;to&gt; all") + paragraph("They want a longer term"))],
  "prices.xlsx": [
    "xlsx",
    xlsx([{ name: "Q1 &amp; Q2", xml: sheetOf("<row><c><v>1e21</v></c><c><v>0.1</v></c></row>") }]),
  ],
  "deck.pptx": ["pptx", pptx([{ shapes: shape("Title", "title") + shape("Second line") }])],
}
