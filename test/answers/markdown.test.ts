import { assert, describe, it } from "@effect/vitest"
import { LinkRemover } from "../../src/core/answers/citations/LinkRemover.ts"
import { asText, linkTo } from "../../src/core/answers/citations/markdown.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { ALL_ADDRESSES, RENDERERS } from "./renderers.ts"

/** Texts that lead to a foreign host where nothing is done about it. */
const ATTACKS = [
  "Zorgblatt ![x](https://evil.test)",
  "Zorgblatt](https://evil.test) [x",
  "Zorgblatt](https://evil.test)\n\n[x",
  "https://evil.test/",
  "https:\\/\\/evil.test/x",
  "https:&#47;&#47;evil.test/x",
  "https&colon;&sol;&sol;evil.test/x",
  "&#104;ttps&#x3a;//evil.test",
  "https:/&#47;evil.test",
  "www\\.evil.test/x",
  "www&period;evil.test/x",
  "&#119;ww.evil.test",
  "//evil.test/x",
  "\\/\\/evil.test/x",
  "&sol;/evil.test/x",
  "(//evil.test)",
  "<https://evil.test>",
  "<img src=https://evil.test>",
  "<!-- --><a href='https://evil.test'>x</a>",
  "[x]: https://evil.test\n\n[x]",
  "[x][]\n\n[x]: //evil.test",
  "`code` https://evil.test `",
  '[a](https://evil.test "t") ![b](<https://evil.test>)',
  "[a]\\(https://evil.test)",
  "[![a](//evil.test/p.png)](https://evil.test)",
  "ftp://evil.test HTTP://evil.test WWW.evil.test",
  "a@evil.test https://a@evil.test",
  "\\https://evil.test &https://evil.test &#https://evil.test",
  "[^1]\n\n[^1]: https://evil.test",
  "|a|\n|-|\n|https:\\/\\/evil.test|",
] as const

/** Links of other schemes than http and https. */
const SCHEMES = [
  "[write](mailto:a@evil.test)",
  "[call](tel:+49301234) [text](sms:+49301234)",
  "<mailto:a@evil.test> <tel:+49301234> <xmpp:a@evil.test>",
  "mailto:a@evil.test",
  "(MailTo&colon;a@evil.test)",
  "see xmpp:a@evil.test/room",
  "[x]: tel:+49301234\n\n[x]",
  "<a href='mailto:a@evil.test'>x</a>",
  "a@evil.test, (ann.smith+x@evil.test) <a@evil.test>",
  "a\\@evil.test a&#64;evil.test a&commat;evil.test &#97;@evil&period;test",
  "a_b@evil.test **a@evil.test** `x`a@evil.test",
] as const

const OURS = "https://sightline.example/v/k7f3"
const citation = (document_name: string) => ({
  document_id: "doc_1",
  document_name,
  deal_id: null,
  deal_name: null,
  url: OURS,
  excerpt: "",
})
const unlinked = (text: string) => {
  const remover = new LinkRemover()
  return remover.push(text) + remover.end()
}

const BITS = ["[", "]", "(", ")", "!", "<", ">", "https", "&#104;ttps", ":", "&colon;", "&#58", "/", "\\/", "&#47;", "&sol;", "&#x2F;", "//", "://", "evil.test", "www.", "www", "\\.", ".", "&period;", " ", "\n", "a", "\\", "&", ";", "`", "*", "_", "~", "|", "@", "é"] // prettier-ignore

const seed = seedOfRun("markdown")
const random = makeRandom(seed)
const drawn = Array.from({ length: 4000 }, () => Array.from({ length: 14 }, () => random.pick(BITS)).join(""))

for (const [renderer, addresses] of Object.entries(RENDERERS)) {
  describe(`in ${renderer}`, () => {
    it("attacks work without protection", () => {
      const working = ATTACKS.filter((attack) => addresses(attack).some((address) => /evil/.test(address)))
      assert.isAbove(working.length, ATTACKS.length / 3)
    })

    it("a model's text contains no links", () => {
      for (const text of [...ATTACKS, ...drawn]) {
        assert.deepStrictEqual(addresses(unlinked(text)), [], JSON.stringify([text, unlinked(text)]))
      }
    })

    it("a name is text, in our sentences and in our links", () => {
      for (const name of [...ATTACKS, ...drawn]) {
        assert.deepStrictEqual(addresses(`We lost ${asText(name)}, owner ${asText(name)}.`), [], name)
        const linked = `They said so — ${linkTo(citation(name))}, and more.`
        assert.deepStrictEqual(addresses(linked), [OURS], JSON.stringify([name, linked]))
      }
    })
  })
}

for (const [renderer, addresses] of Object.entries(ALL_ADDRESSES)) {
  describe(`in ${renderer}, links of other schemes`, () => {
    it("are text in a model's text and in names", () => {
      assert.isNotEmpty(SCHEMES.flatMap((text) => addresses(text)))
      for (const text of SCHEMES) {
        assert.deepStrictEqual(addresses(unlinked(text)), [], JSON.stringify([text, unlinked(text)]))
        assert.deepStrictEqual(addresses(`We lost ${asText(text)}.`), [], JSON.stringify([text, asText(text)]))
      }
    })
  })
}
