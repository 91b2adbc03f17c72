import { type Shift, shiftOf } from "../../shiftedText.ts"

/** The characters of escaped symbols. */
export const SYMBOLS: Readonly<Record<string, string>> = {
  "~": "\u00A0",
  _: "-",
  "{": "{",
  "}": "}",
  "\\": "\\",
  "\n": "\n",
  "\r": "\n",
}

/** The characters of words. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  tab: "\t",
  line: "\n",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
}

/** The encoding of a font's character set (RTF 1.9.1, `\fcharset`). */
export const CHARSETS: Readonly<Record<number, string>> = {
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gbk",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
}

/** The encodings of code pages (`\ansicpg`). */
export const PAGES: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
}

/** Words that raise and lower text, also by half points (RTF 1.9.1, "Font (Character) Formatting Properties"). */
export const SHIFTS: Readonly<Record<string, (value?: number) => Shift>> = {
  super: (value = 1) => shiftOf(value),
  sub: (value = 1) => shiftOf(-value),
  nosupersub: () => undefined,
  up: (value = 6) => shiftOf(value),
  dn: (value = 6) => shiftOf(-value),
}
