import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "@effect/vitest"
import { hostedConfiguration } from "../../src/adapters/deploy/settings.ts"

const WHOLE = {
  SIGHTLINE_DATABASE_URL: "postgres://sightline:secret@db.example:5432/sightline",
  SIGHTLINE_SIGNING_SECRET: "s".repeat(32),
}

describe("the settings of a host that keeps no files", () => {
  it.effect("with an unknown name get a warning that shows the nearest name", () =>
    Effect.gen(function* () {
      const said: Array<unknown> = []
      const logger = Logger.make(({ message }) => void said.push(message))
      yield* hostedConfiguration({ ...WHOLE, SIGHTLINE_SIGNING_SECERT: "x" }).pipe(
        Effect.provide(Logger.layer([logger])),
      )
      assert.match(said.join(), /^SIGHTLINE_SIGNING_SECERT is not a setting.*Did you mean SIGHTLINE_SIGNING_SECRET\?$/)
    }),
  )

  it.effect("by default stores blobs in the database and transcribes nothing", () =>
    Effect.gen(function* () {
      const { database, blobs, transcription } = yield* hostedConfiguration(WHOLE)
      assert.strictEqual(Redacted.value(database.url), WHOLE.SIGHTLINE_DATABASE_URL)
      assert.deepStrictEqual([blobs.kind, transcription.kind], ["database", "off"])
      const bucket = yield* hostedConfiguration({
        ...WHOLE,
        SIGHTLINE_BLOBS: "s3://bucket/prefix",
        AWS_ACCESS_KEY_ID: "id",
        AWS_SECRET_ACCESS_KEY: "key",
        SIGHTLINE_TRANSCRIPTION_URL: "https://speech.example/v1",
      })
      assert.deepStrictEqual([bucket.blobs.kind, bucket.transcription.kind], ["s3", "openai"])
    }),
  )
  it.effect("names each missing setting with an accepted value", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(hostedConfiguration({ SIGHTLINE_BLOBS: "file:blobs" }))
      assert.deepStrictEqual(
        message.split("\n").map((line) => line.split(" ")[0]),
        ["SIGHTLINE_DATABASE_URL", "SIGHTLINE_BLOBS", "SIGHTLINE_SIGNING_SECRET"],
      )
      assert.include(message, "postgres://user:password@host:5432/database")
    }),
  )
  it.effect("refuses Redis, which would count the same limits a second time", () =>
    Effect.gen(function* () {
      const environment = { ...WHOLE, SIGHTLINE_REDIS_URL: "redis://user:hunter2@redis:6379" }
      const { message } = yield* Effect.flip(hostedConfiguration(environment))
      assert.match(message, /^SIGHTLINE_REDIS_URL must be unset: this host counts limits in the database/)
      assert.notInclude(message, "hunter2")
    }),
  )
  it.effect("reports invalid values as the server does, and repeats no password", () =>
    Effect.gen(function* () {
      const environment = { ...WHOLE, SIGHTLINE_DATABASE_URL: "mysql://me:hunter2@db", SIGHTLINE_LINK_DAYS: "0" }
      const { message } = yield* Effect.flip(hostedConfiguration(environment))
      assert.include(message, "SIGHTLINE_LINK_DAYS must be a number of days")
      assert.notInclude(message, "hunter2")
    }),
  )
})
