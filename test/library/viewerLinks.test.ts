import { assert, describe, it as plain, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { anchorOf, clock, wantedOf } from "../../src/core/library/viewer/places.ts"
import { rangeOf } from "../../src/core/library/viewer/ranges.ts"
import { LINK_SECONDS, ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { Settings } from "../../src/core/Settings.ts"

describe("links", () => {
  const settings = (secret: string) =>
    Layer.succeed(Settings, {
      publicUrl: "https://sales.example/",
      corsOrigins: [],
      compressor: undefined,
      signingSecret: Redacted.make(secret),
    })
  const withSecret = (secret: string) => ViewerLinks.layer.pipe(Layer.provide(settings(secret)))

  layer(withSecret("a".repeat(32)))((it) => {
    it.effect("work for a day, whatever is asked beside, and not under another secret", () =>
      Effect.gen(function* () {
        const links = yield* ViewerLinks
        yield* TestClock.setTime(Date.UTC(2026, 10, 21, 16, 59, 59))
        const place = { kind: "sheet", sheet: "Q1 & Q2", row: 7 } as const
        const url = new URL(yield* links.url("org 1", "doc_1", { place, start: 3, end: 9 }))
        assert.strictEqual(url.origin, "https://sales.example")
        assert.strictEqual(url.hash, "#row=Q1%20%26%20Q2!7")
        assert.deepStrictEqual(yield* links.verify("doc_1", url.searchParams), { org: "org 1" })
        const elsewhere = yield* Effect.provide(
          Effect.flatMap(ViewerLinks, (other) => other.verify("doc_1", url.searchParams)),
          Layer.fresh(withSecret("b".repeat(32))),
        )
        assert.strictEqual(elsewhere, "forged")
        yield* TestClock.adjust((LINK_SECONDS - 1) * 1000)
        assert.deepStrictEqual(yield* links.verify("doc_1", url.searchParams), { org: "org 1" })
        yield* TestClock.adjust(3600 * 1000)
        assert.strictEqual(yield* links.verify("doc_1", url.searchParams), "expired")
        assert.strictEqual(yield* links.verify("doc_2", url.searchParams), "forged")
      }),
    )
  })

  plain("name places as they read them", () => {
    for (const [place, wanted] of [
      [
        { kind: "page", page: 3 },
        { kind: "page", number: 3 },
      ],
      [
        { kind: "slide", slide: 2 },
        { kind: "slide", number: 2 },
      ],
      [
        { kind: "sheet", sheet: "a!b c/ü", row: 9 },
        { kind: "row", sheet: "a!b c/ü", number: 9 },
      ],
      [
        { kind: "time", start: 72.5, end: 80 },
        { kind: "time", seconds: 72.5 },
      ],
    ] as const) {
      assert.deepStrictEqual(wantedOf(anchorOf(place)!), wanted)
    }
    assert.isUndefined(wantedOf("page=three"))
    assert.strictEqual(clock(73.9), "1:13")
    assert.strictEqual(clock(3673), "1:01:13")
  })

  plain("read ranges as RFC 9110 has them", () => {
    for (const [header, size, range] of [
      [undefined, 10, undefined],
      ["bytes=0-", 10, { start: 0, end: 10 }],
      ["bytes=2-4", 10, { start: 2, end: 5 }],
      ["bytes=2-99", 10, { start: 2, end: 10 }],
      ["bytes=-3", 10, { start: 7, end: 10 }],
      ["bytes=-30", 10, { start: 0, end: 10 }],
      ["bytes=-0", 10, "unsatisfiable"],
      ["bytes=10-", 10, "unsatisfiable"],
      ["bytes=0-0", 0, "unsatisfiable"],
      ["bytes=5-2", 10, undefined],
      ["bytes=0-1,3-4", 10, undefined],
      ["lines=0-1", 10, undefined],
      ["bytes=-", 10, undefined],
    ] as const) {
      assert.deepStrictEqual(rangeOf(header, size), range, header)
    }
  })
})
