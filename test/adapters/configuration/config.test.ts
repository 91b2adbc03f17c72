import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { hideUserInfo } from "../../../src/core/common/secret.ts"
import { configuration } from "../../../src/adapters/configuration/configuration.ts"
import { inspectEnvironment } from "../../../src/adapters/configuration/environment.ts"
import { loadSigningSecret } from "../../../src/adapters/directory/dataDirectory.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-config-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

const read = (environment: Record<string, string>) =>
  Effect.provide(configuration, ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))

describe("configuration", () => {
  it.effect("by default serves only this machine, from an embedded database", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ PORT: "", SIGHTLINE_REDIS_URL: " " }), {
        host: "127.0.0.1",
        port: 8787,
        dataDirectory: ".sightline",
        database: { kind: "directory", directory: ".sightline/postgres" },
        installation: { schema: undefined, role: undefined },
        blobs: { kind: "files", directory: ".sightline/blobs" },
        transcription: { kind: "local" },
        ocr: { kind: "local", languages: undefined },
        libreOffice: true,
        model: undefined,
        embedding: undefined,
        jobsPerOrganization: undefined,
        plans: undefined,
        redisUrl: undefined,
        publicUrl: undefined,
        basePath: undefined,
        docs: undefined,
        openId: undefined,
        oauth: undefined,
        corsOrigins: [],
        trustedProxies: undefined,
        apiKey: undefined,
        operatorKey: undefined,
        signingSecret: undefined,
        backupKey: undefined,
        previousSigningSecret: undefined,
        linkDays: undefined,
        webhookHosts: [],
        metricsAt: undefined,
        metricsKey: undefined,
        otlp: undefined,
      })
    }),
  )

  it.effect("takes SIGHTLINE_HOST and SIGHTLINE_PORT before HOST and PORT, but no link of Kubernetes", () =>
    Effect.gen(function* () {
      const all = { HOST: "127.0.0.2", PORT: "1", SIGHTLINE_HOST: "127.0.0.3", SIGHTLINE_PORT: "2" }
      assert.deepInclude(yield* read(all), { host: "127.0.0.3", port: 2 })
      const linked = { ...all, SIGHTLINE_HOST: "", SIGHTLINE_PORT: "tcp://10.0.0.1:80" }
      assert.deepInclude(yield* read(linked), { host: "127.0.0.2", port: 1 })
    }),
  )

  it.effect("names unknown variables with the nearest setting, and shows no secret", () =>
    Effect.gen(function* () {
      const found = yield* inspectEnvironment({
        PORT: "1",
        SIGHTLINE_PORT: "2",
        SIGHTLINE_DATABSE_URL: "postgres://u:hunter2@db/x",
        SIGHTLINE_OPERATOR_KEY: "hunter2",
        SIGHTLINE_SERVICE_PORT_HTTP: "80",
        SIGHTLINE_PORT_80_TCP_ADDR: "10.0.0.1",
        SIGHTLINE_LOG_LEVEL: "debug",
        SIGHTLINE_BLOBS: "s3://bucket?endpoint=http://u:hunter2@minio",
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://u:hun@ter2@collector/otlp",
        SIGHTLINE_BASE_URL: "https://hunter2@api.example.com",
        HOME: "/root",
      })
      assert.deepStrictEqual(found.problems, [
        "SIGHTLINE_DATABSE_URL is not a setting and has no effect. Did you mean SIGHTLINE_DATABASE_URL?",
        "PORT=1 has no effect: SIGHTLINE_PORT=2 is set",
      ])
      assert.sameMembers(found.set, [
        "PORT=1",
        "SIGHTLINE_PORT=2",
        "SIGHTLINE_LOG_LEVEL=debug",
        "SIGHTLINE_BLOBS=s3://bucket?endpoint=http://…@minio",
        "OTEL_EXPORTER_OTLP_ENDPOINT=https://…@collector/otlp",
        "SIGHTLINE_BASE_URL=https://…@api.example.com",
        "SIGHTLINE_OPERATOR_KEY (value not shown)",
      ])
    }),
  )

  it("hides the user and the password of an address, also without a user and with an @", () => {
    assert.strictEqual(
      hideUserInfo("at redis://:p@ss@cache:6379/0 and http://a/b@c"),
      "at redis://…@cache:6379/0 and http://a/b@c",
    )
  })

  it.effect("reads every setting from the environment", () =>
    Effect.gen(function* () {
      const read_ = yield* read({
        HOST: "0.0.0.0",
        PORT: "0",
        SIGHTLINE_DATABASE_URL: "postgres://u:p@db.example:5432/sales",
        SIGHTLINE_REDIS_URL: "rediss://cache.example:6380",
        SIGHTLINE_BASE_URL: "https://api.example.com/",
        SIGHTLINE_DOCS: "false",
        SIGHTLINE_CORS_ORIGINS: "https://a.example, http://localhost:3000",
        SIGHTLINE_SIGNING_SECRET: "s".repeat(32),
        SIGHTLINE_SIGNING_SECRET_PREVIOUS: "p".repeat(32),
        SIGHTLINE_LINK_DAYS: "30",
        SIGHTLINE_WEBHOOK_HOSTS: "LOCALHOST:9290, [::1]:80",
      })
      assert.strictEqual(Redacted.value(read_.previousSigningSecret!), "p".repeat(32))
      assert.strictEqual(read_.linkDays, 30)
      assert.isFalse(read_.docs)
      assert.deepStrictEqual(read_.webhookHosts, ["localhost:9290", "[::1]:80"])
      assert.strictEqual(read_.port, 0)
      assert.strictEqual(read_.publicUrl, "https://api.example.com")
      assert.deepStrictEqual(read_.corsOrigins, ["https://a.example", "http://localhost:3000"])
      assert.isTrue(
        read_.database.kind === "postgres" &&
          Redacted.value(read_.database.url) === "postgres://u:p@db.example:5432/sales",
      )
      assert.notInclude(JSON.stringify(read_), "u:p@")
      const { transcription } = yield* read({
        SIGHTLINE_TRANSCRIPTION_URL: "http://localhost:9000/v1/",
        SIGHTLINE_TRANSCRIPTION_MAX_BYTES: "100000",
      })
      assert.deepInclude(transcription, { url: "http://localhost:9000/v1", model: "whisper-1", maxBytes: 100_000 })
      assert.deepStrictEqual((yield* read({ SIGHTLINE_TRANSCRIPTION_URL: "off" })).transcription, { kind: "off" })
      const { model } = yield* read({
        SIGHTLINE_MODEL_URL: "http://localhost:11434/v1/",
        SIGHTLINE_MODEL_MODEL: "tiny",
      })
      assert.deepStrictEqual(model, {
        url: "http://localhost:11434/v1",
        model: "tiny",
        key: undefined,
        prices: undefined,
      })
      const priced = { SIGHTLINE_MODEL_URL: "http://localhost:11434/v1", SIGHTLINE_MODEL_MODEL: "tiny" }
      const { model: paid } = yield* read({ ...priced, SIGHTLINE_MODEL_PRICES: "0.25, 2" })
      assert.deepStrictEqual(paid?.prices, { input: 0.25, output: 2 })
      const one = yield* Effect.flip(read({ ...priced, SIGHTLINE_MODEL_PRICES: "0.25" }))
      assert.match(one.message, /^SIGHTLINE_MODEL_PRICES must be the prices of a million/)
      const nameless = yield* Effect.flip(read({ SIGHTLINE_MODEL_URL: "http://localhost:11434/v1" }))
      assert.match(nameless.message, /^SIGHTLINE_MODEL_MODEL must name the model/)
      const { embedding } = yield* read({
        SIGHTLINE_EMBEDDING_URL: "http://localhost:11434/v1",
        SIGHTLINE_EMBEDDING_MODEL: "nomic",
        SIGHTLINE_EMBEDDING_KEY: "sk-1",
      })
      assert.deepStrictEqual(embedding, {
        url: "http://localhost:11434/v1",
        model: "nomic",
        key: Redacted.make("sk-1"),
      })
      const inMemory = yield* read({ SIGHTLINE_DATABASE_URL: "memory:" })
      assert.deepStrictEqual(inMemory.database, { kind: "memory" })
      assert.deepStrictEqual(inMemory.blobs, { kind: "database" })
      const blobs = Effect.map(
        Effect.forEach(["database:", "file:data/files", "file:///srv/files"], (text) =>
          read({ SIGHTLINE_BLOBS: text }),
        ),
        (all) => all.map(({ blobs }) => blobs),
      )
      assert.deepStrictEqual(yield* blobs, [
        { kind: "database" },
        { kind: "files", directory: "data/files" },
        { kind: "files", directory: "/srv/files" },
      ])
      const bucket = { SIGHTLINE_BLOBS: "s3://sales-files/a/b/?endpoint=http://127.0.0.1:9000&region=eu-west-1" }
      const credentials = { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "hunter2" }
      const s3 = (yield* read({ ...bucket, ...credentials, SIGHTLINE_JOBS_PER_ORGANIZATION: "4" })).blobs
      assert.deepInclude(s3, {
        kind: "s3",
        bucket: "sales-files",
        prefix: "a/b",
        endpoint: "http://127.0.0.1:9000",
        region: "eu-west-1",
        accessKeyId: "AKIA",
      })
      assert.notInclude(JSON.stringify(s3), "hunter2")
      assert.match(
        (yield* Effect.flip(read(bucket))).message,
        /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set/,
      )
    }),
  )

  it.effect("refuses settings without effect, and settings that mislead", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* read({ SIGHTLINE_CORS_ORIGINS: "*" })).corsOrigins, ["*"])
      for (const [environment, told] of [
        [{ SIGHTLINE_CORS_ORIGINS: "*,https://a.example" }, /^SIGHTLINE_CORS_ORIGINS must be \* alone/],
        [{ SIGHTLINE_BASE_URL: "https://a.example/api/v1/" }, /^SIGHTLINE_BASE_URL must be the part before/],
        [
          { SIGHTLINE_BASE_URL: "https://a.example", SIGHTLINE_BASE_PATH: "/intel" },
          /^SIGHTLINE_BASE_URL must end with the base path, \/intel/,
        ],
        [{ SIGHTLINE_BASE_PATH: "intel/" }, /^SIGHTLINE_BASE_PATH must be a path such as \/intel/],
        [{ SIGHTLINE_METRICS_HOST: "0.0.0.0" }, /^SIGHTLINE_METRICS_HOST needs SIGHTLINE_METRICS_PORT/],
        [{ SIGHTLINE_METRICS_KEY: "short" }, /^SIGHTLINE_METRICS_KEY must be 32 characters/],
        [{ SIGHTLINE_OPERATOR_KEY: "two words ".repeat(4) }, /^SIGHTLINE_OPERATOR_KEY must have no white space/],
        [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be the address of an/],
        [
          { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
          /^OTEL_EXPORTER_OTLP_PROTOCOL must be one of http\/protobuf, http\/json/,
        ],
        [{ SIGHTLINE_LOG_LEVEL: "loud" }, /^SIGHTLINE_LOG_LEVEL must be one of trace, debug/],
        [{ SIGHTLINE_MODEL_KEY: "k" }, /^SIGHTLINE_MODEL_KEY needs SIGHTLINE_MODEL_URL/],
        [{ SIGHTLINE_EMBEDDING_MODEL: "m" }, /^SIGHTLINE_EMBEDDING_MODEL needs SIGHTLINE_EMBEDDING_URL/],
        [{ SIGHTLINE_TRANSCRIPTION_KEY: "k" }, /^SIGHTLINE_TRANSCRIPTION_KEY needs SIGHTLINE_TRANSCRIPTION_URL/],
      ] as const) {
        assert.match((yield* Effect.flip(read(environment))).message, told)
      }
    }),
  )

  it.effect("names each invalid variable on its own line, and repeats no password", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(
        read({
          PORT: "65536",
          HOST: "a b",
          SIGHTLINE_DATABASE_URL: "mysql://user:hunter2@host/db",
          SIGHTLINE_REDIS_URL: "localhost",
          SIGHTLINE_BASE_URL: "ftp://example.com",
          SIGHTLINE_BLOBS: "s3://Bucket/?region=eu&colour=red",
          SIGHTLINE_JOBS_PER_ORGANIZATION: "0",
          SIGHTLINE_CORS_ORIGINS: "https://ok.example,https://no.example/path",
          SIGHTLINE_SIGNING_SECRET: "short",
          SIGHTLINE_SIGNING_SECRET_PREVIOUS: "shorter",
          SIGHTLINE_LINK_DAYS: "0",
          SIGHTLINE_WEBHOOK_HOSTS: "localhost",
        }),
      )
      const lines = message.split("\n")
      assert.deepStrictEqual(lines.map((line) => line.split(" ")[0]).sort(), [
        "HOST",
        "PORT",
        "SIGHTLINE_BASE_URL",
        "SIGHTLINE_BLOBS",
        "SIGHTLINE_CORS_ORIGINS",
        "SIGHTLINE_DATABASE_URL",
        "SIGHTLINE_JOBS_PER_ORGANIZATION",
        "SIGHTLINE_LINK_DAYS",
        "SIGHTLINE_REDIS_URL",
        "SIGHTLINE_SIGNING_SECRET",
        "SIGHTLINE_SIGNING_SECRET_PREVIOUS",
        "SIGHTLINE_WEBHOOK_HOSTS",
      ])
      for (const line of lines) assert.match(line, / must be /)
      assert.notInclude(message, "hunter2")
    }),
  )

  it.effect("reads plans from a file, and says what is wrong with them", () =>
    Effect.gen(function* () {
      const path = join(yield* directory, "plans.json")
      const plans = (text: string) => Effect.suspend(() => (writeFileSync(path, text), read({ SIGHTLINE_PLANS: path })))
      const team = { requestsPerMinute: 1200, requestsPerKey: 400, requestsPerMonth: null, exportsPerMonth: 5000 }
      assert.deepStrictEqual((yield* plans(JSON.stringify({ team }))).plans, { team })
      const refusal = (text: string) => Effect.map(Effect.flip(plans(text)), ({ message }) => message)
      assert.include(yield* refusal('{"team":1}'), `SIGHTLINE_PLANS names the file ${path}, which must give 'team'`)
      assert.include(yield* refusal("{team"), `SIGHTLINE_PLANS must name a JSON file of plans, but ${path}: `)
      const { message } = yield* Effect.flip(read({ SIGHTLINE_PLANS: `${path}.gone` }))
      assert.include(message, "no such file")
    }),
  )

  it.effect("creates the secret for links once, and only this user can read it", () =>
    Effect.gen(function* () {
      const at = join(yield* directory, "data")
      const made = yield* loadSigningSecret(at)
      assert.isAtLeast(Redacted.value(made).length, 32)
      assert.strictEqual(Redacted.value(yield* loadSigningSecret(at)), Redacted.value(made))
      assert.strictEqual(statSync(join(at, "signing-secret")).mode & 0o777, 0o600)
      const { message } = yield* Effect.flip(loadSigningSecret(join(at, "signing-secret", "below")))
      assert.match(message, /^SIGHTLINE_DATA_DIR must be /)
    }).pipe(Effect.scoped),
  )
})
