import { assert, describe, it } from "@effect/vitest"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { embedderOf } from "../../src/adapters/embeddings/openai.ts"
import * as Library from "../../src/adapters/library.ts"
import { layerRedis } from "../../src/adapters/limits/redis.ts"
import { analystOf, answererOf } from "../../src/adapters/models/openai.ts"
import * as Standalone from "../../src/adapters/standalone/standalone.ts"

type Make = (options: any) => unknown

/** Each function that makes a part, with options that it takes. */
const PARTS: Readonly<Record<string, readonly [make: Make, good: Readonly<Record<string, unknown>>]>> = {
  layerPglite: [layerPglite, { directory: "data" }],
  layerPostgres: [layerPostgres, { url: "postgres://me:hush@localhost/app", connections: 3, pooled: true }],
  layerRedis: [layerRedis, { url: "redis://localhost:6379" }],
  layerLibrary: [Library.layerLibrary, { blobs: Library.layerDatabaseBlobs }],
  layerFileBlobs: [Library.layerFileBlobs, { directory: "files", reserve: 0 }],
  layerS3Blobs: [
    Library.layerS3Blobs,
    { bucket: "b", region: "us-east-1", accessKeyId: "id", secretAccessKey: "hush", endpoint: "http://localhost:9" },
  ],
  layerReader: [Library.layerReader, { inThread: true }],
  layerFetcher: [Library.layerFetcher, { webhookHosts: ["localhost:9290", "[::1]:80"] }],
  layerTranscriber: [Library.layerTranscriber, { url: "http://localhost/v1", model: "m" }],
  layerOcr: [Library.layerOcr, { url: "http://localhost/v1", model: "m", key: "hush" }],
  embedderOf: [embedderOf, { url: "http://localhost/v1", model: "m", batch: 8 }],
  answererOf: [answererOf, { url: "http://localhost/v1", model: "m", prices: { input: 1, output: 2 } }],
  analystOf: [analystOf, { url: "http://localhost/v1", model: "m" }],
}

const refusal = (make: Make, options: unknown): string => {
  try {
    make(options as never)
  } catch (error) {
    assert.strictEqual((error as { readonly _tag: string })._tag, "InvalidOptions")
    return (error as Error).message
  }
  return "made"
}

describe("a part of the service", () => {
  for (const [name, [make, good]] of Object.entries(PARTS)) {
    const standalone = (Standalone as unknown as Record<string, Make>)[name]
    for (const [entry, made] of [
      ["", make],
      [" of sightline/standalone", standalone!],
    ] as const) {
      it(`${name}${entry} takes its options, and refuses a misspelt one, a text and what it needs but lacks`, () => {
        assert.strictEqual(refusal(made, good), "made")
        for (const option of Object.keys(good)) {
          const misspelt = `${option}x`
          assert.include(
            refusal(made, { ...good, [misspelt]: good[option] }),
            `\`${misspelt}\` is no option. Did you mean \`${option}\`?`,
          )
          assert.include(refusal(made, { ...good, [option]: Symbol.iterator }), `${name}: \`${option}\` `)
        }
        assert.include(refusal(made, "data"), `${name}: \`options\` must be an object of `)
        assert.notInclude(refusal(made, "postgres://me:hush@localhost/app"), "hush")
        assert.notInclude(refusal(made, { ...good, nothing: 1 }), "hush")
      })
    }
  }

  it("names what it needs", () => {
    for (const [name, needed] of [
      ["layerPostgres", ["url"]],
      ["layerRedis", ["url"]],
      ["layerFileBlobs", ["directory"]],
      ["layerS3Blobs", ["bucket", "region", "accessKeyId", "secretAccessKey"]],
      ["layerTranscriber", ["url", "model"]],
      ["layerOcr", ["url", "model"]],
      ["embedderOf", ["url", "model"]],
      ["answererOf", ["url", "model"]],
      ["analystOf", ["url", "model"]],
    ] as const) {
      const said = refusal(PARTS[name]![0], {})
      for (const option of needed) assert.include(said, `\`${option}\` must be`)
    }
  })

  it("refuses a directory that is undefined, which would keep the data in memory", () => {
    assert.include(
      refusal(PARTS["layerPglite"]![0], { directory: undefined }),
      "or be left out for a database in memory",
    )
    assert.strictEqual(refusal(PARTS["layerPglite"]![0], {}), "made")
  })

  it("refuses an address of a database that waiting does not mend, without repeating it", () => {
    for (const url of [undefined, "", "localhost:5432", "mysql://me:hush@localhost/x", 5432]) {
      const said = refusal(layerPostgres, { url })
      assert.include(said, "`url` must be postgres://user:password@host:5432/database, but is")
      assert.notInclude(said, "hush")
    }
  })

  it("names the value that is wrong", () => {
    assert.include(refusal(layerPostgres, { url: "postgres://me@h/x", connections: 0 }), "from 1, not 0")
    const hosts = { webhookHosts: ["localhost:1", "http://localhost:9290"] }
    assert.include(refusal(Library.layerFetcher, hosts), 'but has "http://localhost:9290"')
    assert.include(refusal(Library.layerLibrary, { blobs: 1 }), "`blobs` must be a layer of a store")
    assert.include(refusal(Library.layerTesseract, "eng"), "`languages` must be a list")
  })
})
