import { assert, describe, it } from "@effect/vitest"
import { CODE_PAGES, type CodePage } from "../../../src/ingest/encodings/codePages.ts"
import { decode } from "../../../src/ingest/encodings/decode.ts"
import { looksLikeText } from "../../../src/core/common/unicode.ts"
import { codeOf } from "../support/codeOf.ts"
import { TEXTS } from "../support/encodings.ts"

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"))
const isCodePage = (name: string): name is CodePage => name in CODE_PAGES

describe("encodings of files that do not name theirs", () => {
  for (const { language, text, encoded } of TEXTS) {
    it(`reads ${language} in ${Object.keys(encoded).join(", ")}`, () => {
      for (const [encoding, base64] of Object.entries(encoded)) {
        const read = decode(bytesOf(base64))
        assert.strictEqual(read.text, text, encoding)
        assert.deepStrictEqual(
          read.warnings.map(({ code }) => code),
          ["encoding_guessed"],
        )
        assert.isTrue(looksLikeText(bytesOf(base64)), encoding)
      }
    })
  }

  it("misjudges at most one in twenty pieces of 60 characters", () => {
    const outcomes = { right: 0, refused: 0, wrong: 0 }
    for (const { text, encoded } of TEXTS) {
      for (const encoding of Object.keys(encoded).filter((name) => isCodePage(name))) {
        const upper = [...CODE_PAGES[encoding]]
        for (let at = 0; at + 60 <= text.length; at += 60) {
          const piece = text.slice(at, at + 60)
          const bytes = Uint8Array.from(piece, (letter) =>
            letter.charCodeAt(0) < 128 ? letter.charCodeAt(0) : 128 + upper.indexOf(letter),
          )
          try {
            outcomes[decode(bytes).text === piece ? "right" : "wrong"]++
          } catch {
            outcomes.refused++
          }
        }
      }
    }
    assert.isAbove(outcomes.right, 180)
    assert.isAtMost(outcomes.wrong, outcomes.right / 20, JSON.stringify(outcomes))
    assert.isAtMost(outcomes.refused, outcomes.right / 100, JSON.stringify(outcomes))
  })

  it("refuses text in an unknown encoding, and says what to do", async () => {
    // Georgian, which none of the code pages has, with its letters in two places of the upper half.
    const georgian = "ჩვენ მოვიგეთ ეს გარიგება, რადგან დანერგვას სამი დღე დასჭირდა და ფასიც კარგი იყო."
    for (const first of [0x90, 0xa0]) {
      const bytes = Uint8Array.from(georgian, (letter) =>
        letter.charCodeAt(0) < 128 ? letter.charCodeAt(0) : first + letter.charCodeAt(0) - 0x10d0,
      )
      const error = await codeOf(() => decode(bytes))
      assert.strictEqual(error.code, "unsupported")
      assert.match(error.reason, /Save it as UTF-8/)
    }
  })

  it("keeps UTF-8 with a few damaged bytes, and reports their number", () => {
    const whole = new TextEncoder().encode("Größe, Käufer, Lösung, für, schöner, außerdem, größer, später, Prüfung.")
    const cut = whole.filter((_, index) => index !== 3)
    const { text, warnings } = decode(cut)
    assert.include(text, "Käufer, Lösung, für, schöner")
    assert.match(warnings[0]?.message ?? "", /UTF-8 with 1 damaged character/)
  })

  it("reads an English text with one odd byte", () => {
    const text = "The buyer chose us because the rollout took three days. ".repeat(10)
    const bytes = Uint8Array.from([...new TextEncoder().encode(text), 0x81])
    assert.include(decode(bytes).text, text)
  })
})
