import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { CurrentRequest } from "../../src/core/http/CurrentRequest.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { layerLinks, Links } from "../../src/core/signing/Links.ts"
import { countLetters, pack, TARGETS, unpack, unseal } from "../../src/core/signing/token.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { layerSettings } from "../support/settings.ts"
import { layerWeb, Web } from "../support/web.ts"

const HOUR = 60 * 60

for (const engine of engines) {
  describe(`links on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const open = (url: string) => Effect.flatMap(Web, (web) => web.request(url, ""))

      /** Makes a document, and a key of its organization that requests the link. */
      const makeDocumentLink = Effect.fnUntraced(function* (expiresAt?: string) {
        const web = yield* Web
        const { org } = yield* web.tenant()
        const { id } = yield* readDocument(org, [onPage(1, "the price is secret")])
        const key = yield* (yield* ApiKeys).create(org, { name: "asking", role: "owner", expiresAt })
        const { json } = yield* web.request(`/api/v1/documents/${id}`, key.key)
        return { org, id, key, url: json.url as string }
      })

      it.effect("are absolute, with at most 60 characters after the host, for every target", () =>
        Effect.gen(function* () {
          const { org, id, url } = yield* makeDocumentLink()
          const links = yield* ViewerLinks
          const far = { start: 400_000_000, end: 401_000_000 }
          const text = "the price is secret"
          const cited = { start: 33_000_000, end: 33_000_000 + text.length, source: { text, start: 33_000_000 } }
          const urls = [
            url,
            yield* links.url(org, id, far),
            yield* links.url(org, id, cited),
            yield* links.dealUrl(org, "d".repeat(255), far),
            yield* links.dealUrl(org, "d".repeat(255), cited),
          ]
          for (const each of urls) {
            assert.match(each, /^http:\/\/localhost\/v\/[\w-]+$/)
            assert.isAtMost(each.slice("http://localhost".length).length, 60)
          }
          assert.include((yield* open(url)).text, "the price is secret")
        }),
      )

      it.effect("stop working when their key is revoked; links of other keys still work", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, id, key, url } = yield* makeDocumentLink()
          const keys = yield* ApiKeys
          const other = yield* keys.create(org, { name: "other", role: "viewer" })
          const { json } = yield* web.request(`/api/v1/documents/${id}`, other.key)
          yield* keys.rotate(org, key.id, 0)
          assert.strictEqual((yield* open(url)).status, 200, "a key's new secret is no new key")
          yield* keys.revoke(org, key.id)
          for (const path of [url, `${url}/original`, `${url}?part=1`]) {
            const reply = yield* open(path)
            assert.strictEqual(reply.status, 410, path)
            assert.include(reply.text, "revoked or has expired")
            assert.notInclude(reply.text, "the price is secret")
          }
          assert.strictEqual((yield* open(json.url)).status, 200)
        }),
      )

      it.effect("stop working when their key expires", () =>
        Effect.gen(function* () {
          const { org, key, url } = yield* makeDocumentLink(new Date(Date.now() + HOUR * 1000).toISOString())
          assert.strictEqual((yield* open(url)).status, 200)
          const { sql, transaction } = yield* Database
          yield* transaction(
            org,
            sql`update api_keys set expires_at = now() - interval '1 second' where org_id = ${org} and id = ${key.id}`,
          )
          assert.strictEqual((yield* open(url)).status, 410)
        }),
      )

      it.effect("expire after 7 days by default, rounded up to the hour", () =>
        Effect.gen(function* () {
          const { org, id } = yield* makeDocumentLink()
          const daysOf = Effect.gen(function* () {
            const url = yield* (yield* ViewerLinks).url(org, id)
            const links = yield* Links
            const token = url.slice(url.lastIndexOf("/") + 1)
            assert.strictEqual(typeof (yield* links.open(token, ["documents"])), "object")
            const bytes = Buffer.from(token, "base64url")
            return (unpack(bytes.subarray(0, -12))!.expires - Date.now() / 1000) / (24 * HOUR)
          })
          const beyond = (yield* daysOf) - 7
          assert.isTrue(beyond >= 0 && beyond <= 1 / 24, String(beyond))
          const longer = yield* daysOf.pipe(
            Effect.provide(Layer.fresh(ViewerLinks.layer)),
            Effect.provide(Layer.fresh(layerLinks)),
            Effect.provide(layerSettings({ linkDays: 30 })),
          )
          assert.isTrue(longer >= 30 && longer <= 30 + 1 / 24, String(longer))
        }),
      )

      it.effect("open the viewer at the page, slide, row or second of their passage", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const links = yield* ViewerLinks
          const places = [
            [{ kind: "page", page: 7 }, "page=7"],
            [{ kind: "slide", slide: 3 }, "slide=3"],
            [{ kind: "sheet", sheet: "Q1 & Q2", row: 9 }, "row=Q1%20%26%20Q2!9"],
            [{ kind: "time", start: 72.5, end: 80 }, "t=72.5"],
          ] as const
          for (const [place, anchor] of places) {
            const elements = [
              { kind: "paragraph", text: "before it", place: { kind: "text" } } as const,
              { kind: place.kind === "time" ? "speech" : "paragraph", text: "the passage", place } as const,
            ]
            const { id, text } = yield* readDocument(org, elements)
            const start = text.indexOf("the passage")
            const shown = yield* open(yield* links.url(org, id, { start, end: start + 11 }))
            assert.include(shown.text, `data-at="${anchor.replaceAll("&", "&amp;")}"`)
            assert.include(shown.text, `<mark id="cited">the passage</mark>`)
          }
        }),
      )

      it.effect("open if the current or previous signing secret signed them, and only then", () =>
        Effect.gen(function* () {
          const { org, id, key } = yield* makeDocumentLink()
          const secret = (letter: string) => Redacted.make(letter.repeat(32))
          const under = <A, E, R>(effect: Effect.Effect<A, E, R>, current: string, previous?: string) =>
            effect.pipe(
              Effect.provide(Layer.fresh(layerLinks)),
              Effect.provide(
                layerSettings({
                  signingSecret: secret(current),
                  previousSigningSecret: previous === undefined ? undefined : secret(previous),
                }),
              ),
            )
          const { sql, unscoped } = yield* Database
          yield* unscoped(sql`delete from signing_secret`)
          const link = { target: "documents", id, expires: Math.floor(Date.now() / 1000) + HOUR } as const
          const make = Effect.flatMap(Links, (links) => links.token(org, link))
          const request = { ...(yield* CurrentRequest), keyId: key.id }
          const token = yield* under(Effect.provideService(make, CurrentRequest, request), "a")
          const opening = Effect.flatMap(Links, (links) => links.open(token, ["documents"]))
          const opened = yield* under(opening, "b", "a")
          assert.deepInclude(opened, { target: "documents", org, id, passage: undefined })
          assert.strictEqual(yield* under(opening, "c", "b"), "unknown")
          const refusal = yield* Effect.flip(under(opening, "a", "d"))
          assert.strictEqual(refusal._tag, "SigningSecretMismatch")
          assert.match(refusal.message, /SIGHTLINE_SIGNING_SECRET_PREVIOUS/)
        }),
      )
    })
  })
}

describe("pack and unpack", () => {
  it("round-trip with words, up to the largest counts, to the hour or minute of the end", () => {
    const [owner, id] = [new Uint8Array(9).fill(1), new Uint8Array(9).fill(255)]
    const random = makeRandom(seedOfRun("anchors in tokens"))
    const from = Date.UTC(2026, 0, 1) / 1000
    for (let n = 0; n < 2000; n++) {
      const anchor = {
        letters: countLetters(random.below(random.pick([10, 1540, 12_000]))),
        hash: random.below(2 ** 28),
        more: random.below(64),
        before: random.chance(0.5),
        after: random.chance(0.5),
      }
      const content = { target: random.pick(TARGETS), owner, byKey: random.chance(0.5), id }
      const start = random.below(2 ** 25)
      const hour = from + random.below(2 ** 18) * HOUR
      const toTheHour = unpack(pack({ ...content, expires: hour, passage: { start, end: start + 9, anchor } }))
      assert.deepStrictEqual(toTheHour, { ...content, expires: hour, passage: { start, anchor } })
      const second = hour + 60 * (1 + random.below(58)) + random.below(60)
      const bytes = pack({ ...content, expires: second, passage: { start, end: start + 9, anchor } })
      const expires = second - (second % 60)
      assert.deepStrictEqual(unpack(bytes), {
        ...content,
        expires,
        passage: { start, anchor: { ...anchor, more: undefined } },
      })
      assert.strictEqual(bytes.length + 12, 42)
      // An offset or time without a place beside the words makes a link by offsets.
      for (const [at, end] of [
        [2 ** 25, hour],
        [start, from - 1],
        [start, from + 2 ** 18 * HOUR],
      ] as const) {
        const passage = { start: at, end: at + 9 }
        const far = { ...content, expires: end, passage: { ...passage, anchor } }
        assert.deepStrictEqual(unpack(pack(far)), { ...content, expires: end, passage })
      }
    }
  })

  it("opens the tokens of the release before", () => {
    const token = "QAEBAQEBAQEBAf___________2sRIgAAAAEsAAAqAAAAAAAAAAAAAAAA"
    assert.deepStrictEqual(unpack(unseal(token)!.content), {
      target: "documents",
      byKey: false,
      owner: new Uint8Array(9).fill(1),
      id: new Uint8Array(9).fill(255),
      expires: 0x6b112200,
      passage: { start: 300, end: 342 },
    })
  })

  it("round-trip, up to the largest offsets", () => {
    const [owner, id] = [new Uint8Array(9).fill(1), new Uint8Array(9).fill(255)]
    for (const target of TARGETS) {
      for (const passage of [undefined, { start: 0, end: 0 }, { start: 2 ** 32 - 1, end: 2 ** 32 + 2 ** 24 - 2 }]) {
        for (const byKey of [true, false]) {
          const content = { target, owner, byKey, id, expires: 2 ** 32 - 1, passage }
          const bytes = pack(content)
          assert.isAtMost(bytes.length + 12, 42)
          assert.deepStrictEqual(unpack(bytes), content)
          assert.isUndefined(unpack(bytes.subarray(1)))
        }
      }
    }
  })
})
