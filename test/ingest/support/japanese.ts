import { pdfOf } from "./pdf.ts"

export const JAPANESE = "値下げの話"
const hexOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join("")
const drawn = `BT /F1 12 Tf 72 700 Td <${hexOf(JAPANESE)}> Tj ET`

/** A PDF that names its font without embedding it: only the tables of pdf.js explain its codes. */
export const japanesePdf = pdfOf([
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
  `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
  "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [6 0 R] >>",
  "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R >>",
  "<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
])
