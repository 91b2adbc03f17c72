import { expect, it } from "vitest"
import { crmKey } from "../../src/core/common/crmKey.ts"
import { fold } from "../../src/core/common/fold.ts"
import { IdSet } from "../../src/core/records/IdSet.ts"
import { readPerson } from "../../src/core/records/names/person.ts"

const ALIKE = [
  [
    "Müller GmbH",
    "Mu\u0308ller GmbH",
    "Müller\u00a0GmbH",
    " Müller  GmbH",
    "Müller\u200b GmbH",
    "MÜLLER GMBH",
    "Mül\u00adler GmbH",
    "Ｍüller GmbH",
    "M&#252;ller&nbsp;GmbH",
    "M&amp;#xFC;ller GmbH",
  ],
  ["GROSS & STRASSE", "Groß & Straße", "Groß &amp; Straße", "GROSS &AMP;AMP; STRASSE"],
  ["İSTANBUL Lojistik", "istanbul lojistik", "ISTANBUL LOJISTIK"],
  ["ΟΔΟΣ", "οδος", "Οδός".normalize("NFD").replaceAll(/\p{M}/gu, "")],
  ["ﬁne", "FINE", "fine"],
]

it("folds texts alike that readers take for the same, and no others", () => {
  for (const texts of ALIKE) expect(new Set(texts.map(fold)).size, texts.join()).toBe(1)
  expect(new Set(ALIKE.map(([text]) => fold(text!))).size).toBe(ALIKE.length)
  for (const [a, b] of [
    ["Muller", "Müller"],
    ["A B", "AB"],
    ["R&D", "RD"],
    ["a&b;", "a&c;"],
  ])
    expect(fold(a!)).not.toBe(fold(b!))
})

it("folds a fold to itself, keeps some text, and stays within what an index takes", () => {
  const texts = [
    ...ALIKE.flat(),
    "\u200b",
    "\u00ad\u00ad",
    "ŉ ΐ ᾳ ǆ ẞ İ",
    "\ufdfa".repeat(400),
    "&amp;lt;",
    "e\u200d\u0301",
  ]
  for (const text of texts) {
    expect(fold(fold(text))).toBe(fold(text))
    expect(fold(text)).not.toBe("")
    expect(Buffer.byteLength(fold(text))).toBeLessThan(2000)
  }
})

it("gives an id of 18 characters with the right suffix the first 15 as its key, and leaves every other id", () => {
  for (const [long, short] of [
    ["0065g00000AbCdEAAV", "0065g00000AbCdE"],
    ["0065g00000aBcDeAAK", "0065g00000aBcDe"],
    ["0065g00000XyZ12AAF", "0065g00000XyZ12"],
  ]) {
    expect(crmKey(long!)).toBe(short)
    expect(crmKey(short!)).toBe(short)
  }
  // A wrong suffix, a lost case, other lengths and characters.
  for (const id of [
    "0065g00000AbCdEAAK",
    "0065G00000ABCDEAAV",
    "0065g00000AbCdEaav",
    "0065g00000AbCd",
    "0065g-0000AbCdEAAV",
    "",
  ]) {
    expect(crmKey(id)).toBe(id)
  }
})

it("reads names and e-mails of owners", () => {
  expect(readPerson("anna.berg@acme.example")).toEqual({
    email: "anna.berg@acme.example",
    names: ["anna.berg@acme.example"],
  })
  expect(readPerson("Anna Berg (anna.berg@acme.example)")).toEqual({
    email: "anna.berg@acme.example",
    names: ["Anna Berg", "Berg, Anna"],
  })
  expect(readPerson("Berg, Anna <anna.berg@acme.example>")).toEqual({
    email: "anna.berg@acme.example",
    names: ["Berg, Anna", "Anna Berg"],
  })
  expect(readPerson("Anna Maria Berg").names).toEqual(["Anna Maria Berg", "Berg, Anna Maria"])
  for (const text of ["Support", "Berg, Anna, Ph.D.", "Team (EMEA)"]) expect(readPerson(text).email).toBe(undefined)
  expect(readPerson("Berg, Anna, Ph.D.").names).toEqual(["Berg, Anna, Ph.D."])
})

it("keeps the ids of a large file apart", () => {
  const set = new IdSet()
  for (let n = 0; n < 50_000; n++) set.add(`dea_${n}`)
  let found = 0
  for (let n = 0; n < 100_000; n++) if (set.has(`dea_${n}`)) found++
  expect(found).toBe(50_000)
})
