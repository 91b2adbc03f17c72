import { strToU8, zipSync } from "fflate"

const NAMES = ["office", "text", "table", "style"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(" ")

/** Makes a text of OpenDocument with this body and page style. Its type is the first entry, not compressed. */
export const odt = (body: string, type = "application/vnd.oasis.opendocument.text", page = ""): Uint8Array =>
  zipSync({
    mimetype: [strToU8(type), { level: 0 }],
    "styles.xml": strToU8(
      `<office:document-styles ${NAMES}><office:master-styles><style:master-page>${page}</style:master-page></office:master-styles></office:document-styles>`,
    ),
    "content.xml": strToU8(
      `<office:document-content ${NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ),
  })
