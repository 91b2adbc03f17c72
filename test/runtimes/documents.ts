import type { DocumentFormat } from "../../src/ingest/readers.ts"
import { docx, paragraph, pptx, shape, sheetOf, xlsx } from "../ingest/support/office.ts"
import { japanesePdf } from "../ingest/support/japanese.ts"
import { msg } from "../ingest/support/msg.ts"
import { odt } from "../ingest/support/odt.ts"
import { pagesOf } from "../ingest/support/pdf.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)

/** A document of each format that has a parser. */
export const FILES: Readonly<Record<string, readonly [DocumentFormat, Uint8Array]>> = {
  "lines.pdf": ["pdf", pagesOf([[{ text: "Rival cut its list price", y: 700 }], [{ text: "On page two", y: 700 }]])],
  "japanese.pdf": ["pdf", japanesePdf],
  "notes.docx": ["docx", docx(paragraph("Grüße &lt;to&gt; all") + paragraph("They want a longer term"))],
  "prices.xlsx": [
    "xlsx",
    xlsx(
      [
        {
          name: "Q1 &amp; Q2",
          xml: sheetOf('<row><c><v>1e21</v></c><c s="1"><v>0.1234</v></c><c s="2"><v>46085</v></c></row>'),
        },
      ],
      {
        styles:
          '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d/m/yy"/></numFmts><cellXfs><xf/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs></styleSheet>',
      },
    ),
  ],
  "stock.csv": ["csv", utf8('Product;Location;Note\nSKU-1;A-12;"two\nlines"\nSKU-2;;"say ""hi"""\n')],
  "stock.tsv": ["tsv", utf8("Product\tLocation\tExpected\nSKU-1\tA-12\t450\n")],
  "page.html": [
    "html",
    utf8(
      "<title>Prices</title><nav>Home</nav><h1>Prices</h1><p>Per <b>seat</b><table><tr><th>Plan<th>Price<tr><td>Team<td>40</table>",
    ),
  ],
  "offer.eml": [
    "eml",
    utf8(
      "From: =?utf-8?q?J=C3=B6rg?= <joerg@a.example>\r\nSubject: Re: Offer\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Gr=FC=DFe<p>On 3 May 2026, Ben wrote:<blockquote>40?</blockquote>\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nnote\r\n--b--\r\n",
    ),
  ],
  "offer.msg": [
    "msg",
    msg({
      subject: "Offer",
      from: { name: "Ann", address: "ann@a.example" },
      page: 1251,
      ansi: Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2),
      attachments: [{ name: "a.txt", type: "text/plain", bytes: utf8("note") }],
    }),
  ],
  "notes.rtf": [
    "rtf",
    utf8("{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset204 C;}}{\\f0\\'cf\\'f0\\'e8} \\u8364?40 for each seat\\par}"),
  ],
  "notes.odt": ["odt", odt("<text:h>Terms</text:h><text:p>Three<text:tab/>years</text:p>")],
  "call.json": [
    "json",
    utf8('{"sentences":[{"text":"We chose you.","speaker_name":"Ada","start_time":1.5,"end_time":3}]}'),
  ],
  "call.txt": ["txt", utf8("Ada  0:05\nOne.\n\nBen  0:12\nTwo.\n\nAda  0:20\nThree.\n")],
  "call.vtt": ["vtt", utf8("WEBVTT\n\n00:01.000 --> 00:03.500\n<v Ada>We chose you &amp; not them.</v>\n")],
  "call.srt": ["srt", utf8("1\n00:00:01,000 --> 00:00:03,500\nADA: We chose you.\n")],
  "deck.pptx": ["pptx", pptx([{ shapes: shape("Title", "title") + shape("Second line") }])],
}
