import { createHash } from "node:crypto"
import { READERS } from "../../../src/ingest/readers.ts"
import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"
import { corpus } from "./corpus.ts"
import { TEXTS } from "./encodings.ts"
import { encryptAgile, encryptStandard } from "./encrypt.ts"
import { docx, paragraph, pptx, shape, sheetOf, xlsx } from "./office.ts"
import { mappedPage, pagesOf, SCAN } from "./pdf.ts"

const SHEET = xlsx([{ name: "A", xml: sheetOf("<row><c><v>1</v></c></row>") }])
const password = "VelvetSweatshop"

/** Own files, for machines without the corpus: text that runtimes could sort, trim or decode differently. */
const OWN = [
  {
    file: "own.docx",
    format: "docx" as const,
    bytes: () => docx(["İstanbul ﬁ", "\u00a0 \u2028x\u200b", "𐌲𐌿𐍄", "a&#x9;b"].map((text) => paragraph(text)).join("")),
  },
  { file: "own.pptx", format: "pptx" as const, bytes: () => pptx([{ shapes: shape("Ünïcode\n\u3000全角 ") }]) },
  {
    file: "own.xlsx",
    format: "xlsx" as const,
    bytes: () => xlsx([{ name: "É", xml: sheetOf("<row><c><v>1e21</v></c><c><v>-0</v></c><c><v>0.1</v></c></row>") }]),
  },
  { file: "agile.xlsx", format: "xlsx" as const, bytes: () => encryptAgile(SHEET, { password }) },
  { file: "standard.xlsx", format: "xlsx" as const, bytes: () => encryptStandard(SHEET, { password }) },
  {
    file: "own.pdf",
    format: "pdf" as const,
    bytes: () => mappedPage([{ text: "םולש _We_won", x: 72, y: 700 }], { _: 3 }),
  },
  { file: "scan.pdf", format: "pdf" as const, bytes: () => pagesOf([[{ text: "A page", y: 700 }], SCAN, []]) },
  ...TEXTS.flatMap(({ language, encoded }) =>
    Object.entries(encoded).map(([encoding, base64]) => ({
      file: `${language} in ${encoding}.txt`,
      format: "txt" as const,
      bytes: () => new Uint8Array(Buffer.from(base64, "base64")),
    })),
  ),
]

const hash = async ({ format, bytes }: { format: keyof typeof READERS; bytes: () => Uint8Array }): Promise<string> => {
  try {
    return createHash("sha256")
      .update(JSON.stringify(await READERS[format](bytes())))
      .digest("hex")
  } catch (error) {
    if (error instanceof UnreadableError) return error.code
    throw error
  }
}

const formats = new Set(process.argv.slice(2))
const hashes: Record<string, string> = {}
for (const sample of [...OWN, ...corpus.filter(({ format }) => formats.has(format))]) {
  hashes[sample.file] = await hash(sample)
}
console.log(JSON.stringify(hashes))
