import { execFileSync, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Yaml from "effect/encoding/Yaml"
import { configuration } from "../../src/adapters/configuration/configuration.ts"
import { DRAIN_SECONDS } from "../../src/adapters/serving/serving.ts"
import { methodsAt } from "../../src/core/server/methods.ts"
import { waitUntil } from "../adapters/processes.ts"
import { needs } from "../support/needs.ts"
import { freePort } from "../support/postgres.ts"

const textOf = (file: string) => readFileSync(file, "utf8")
const COMPOSE = Yaml.parse(textOf("docs/deploy/compose.yaml")) as any
const UNIT = textOf("docs/deploy/sightline.service")
const MANIFEST = textOf("docs/deploy/kubernetes.yaml")
  .split(/^---$/m)
  .map((document) => Yaml.parse(document) as any)

/** The instructions of the Dockerfile: [name, arguments]. */
const DOCKERFILE = textOf("Dockerfile")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const)

const argumentsOf = (name: string) => DOCKERFILE.filter(([each]) => each === name).map(([, rest]) => rest)

const pairsOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]))

const CONTAINER = MANIFEST.find(({ kind }) => kind === "Deployment").spec.template.spec.containers[0]

/** A value in the place of a secret that the file leaves to its reader. */
const fill = (name: string, value: string | undefined) =>
  value === undefined || /\$\{/.test(value)
    ? name === "SIGHTLINE_DATABASE_URL"
      ? "postgres://user:password@host:5432/sightline"
      : name === "SIGHTLINE_BASE_URL"
        ? "http://localhost:8787"
        : "x".repeat(32)
    : value

const ENVIRONMENTS: Record<string, Record<string, string | undefined>> = {
  Dockerfile: Object.assign({}, ...argumentsOf("ENV").map(pairsOf)),
  "compose.yaml": COMPOSE.services.sightline.environment,
  "sightline.service": Object.assign(
    {},
    ...[...UNIT.matchAll(/^Environment=(.*)$/gm)].map(([, text]) => pairsOf(text!)),
  ),
  "kubernetes.yaml": Object.fromEntries(CONTAINER.env.map(({ name, value }: any) => [name, value])),
}

describe("the files for deployment", () => {
  for (const [file, environment] of Object.entries(ENVIRONMENTS)) {
    it(`${file} sets variables that docs/configuration.md names, to values that the server accepts`, async () => {
      const rows = [...textOf("docs/configuration.md").matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!).join()
      assert.isAbove(Object.keys(environment).length, 2)
      for (const name of Object.keys(environment)) assert.include(rows, `\`${name}\``)
      const filled = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(name, value)]))
      await Effect.runPromise(Effect.provide(configuration, ConfigProvider.layer(ConfigProvider.fromUnknown(filled))))
    })
  }

  it(
    "the Dockerfile's commands build an image's files, and its command serves and is healthy",
    { timeout: 900_000 },
    async () => {
      const directory = mkdtempSync(join(tmpdir(), "sightline-image-"))
      const here = (text: string) =>
        text.replaceAll("/build", directory).replace(/^sightline$/, join(directory, "sightline"))
      try {
        const stages = DOCKERFILE.findIndex(([name], at) => name === "FROM" && at > 0)
        for (const [name, rest] of DOCKERFILE.slice(0, stages)) {
          if (name === "RUN") execFileSync("sh", ["-euc", here(rest)], { cwd: directory, stdio: "pipe" })
          if (name !== "COPY") continue
          const [target, ...sources] = rest.split(" ").toReversed()
          for (const source of sources)
            cpSync(source, join(directory, sources.length > 1 ? source : target!), { recursive: true })
        }
        for (const [name, rest] of DOCKERFILE.slice(stages)) {
          const source = /--from=build (?:--\S+ )*(\S+)|--from=build.* (\S+) \S+$/.exec(rest)
          if (name === "COPY") assert.isTrue(existsSync(here(source![1] ?? source![2]!)), rest)
        }
        const port = String(await freePort())
        const env = {
          ...ENVIRONMENTS["Dockerfile"],
          HOST: "127.0.0.1",
          PORT: port,
          SIGHTLINE_DATA_DIR: join(directory, "data"),
        }
        const command = (text: string) => (JSON.parse(text) as Array<string>).map(here)
        const [program, ...args] = command(argumentsOf("CMD")[0]!)
        const check = command(/CMD (\[.*\])$/.exec(argumentsOf("HEALTHCHECK")[0]!)![1]!)
        const isHealthy = () => spawnSync(check[0]!, check.slice(1), { env, cwd: directory }).status === 0
        assert.isFalse(isHealthy(), "healthy before it serves")
        const server = spawn(program!, args, { env, cwd: directory, stdio: "pipe" })
        const ended = new Promise<number | null>((resolve) => server.once("exit", resolve))
        await waitUntil(() => server.exitCode !== null || isHealthy())
        assert.isNull(server.exitCode)
        server.kill()
        assert.strictEqual(await ended, 0)
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    },
  )

  it("the Dockerfile exposes its port and keeps the data in its volume, which its user owns", () => {
    const environment = ENVIRONMENTS["Dockerfile"]!
    assert.deepStrictEqual(argumentsOf("EXPOSE"), [environment["PORT"]!])
    assert.deepStrictEqual(argumentsOf("VOLUME"), [environment["SIGHTLINE_DATA_DIR"]!])
    const [user] = argumentsOf("USER")
    assert.isTrue(argumentsOf("COPY").some((copy) => copy.includes(`--chown=${user} `) && copy.endsWith(" /data")))
    const { runAsUser } = MANIFEST[0].spec.template.spec.securityContext
    assert.strictEqual(user, `${runAsUser}:${runAsUser}`)
  })

  it("Compose publishes the image's port, and stores files where the volume is", () => {
    const { ports, volumes, environment, stop_grace_period, depends_on } = COMPOSE.services.sightline
    assert.deepStrictEqual(ports, [`127.0.0.1:8787:${argumentsOf("EXPOSE")[0]}`])
    assert.deepStrictEqual(volumes, ["files:/data"])
    assert.match(environment.SIGHTLINE_BLOBS, /^file:\/data\//)
    assert.containsAllKeys(COMPOSE.services, Object.keys(depends_on))
    const named = Object.values<any>(COMPOSE.services).flatMap((service) =>
      service.volumes.map((v: string) => v.split(":")[0]),
    )
    assert.sameMembers(named, Object.keys(COMPOSE.volumes))
    assert.isAbove(Number.parseInt(stop_grace_period), DRAIN_SECONDS + 5)
  })

  it("Kubernetes probes real paths at real ports, and selects its own pods", () => {
    const [deployment, service, budget] = MANIFEST
    assert.deepStrictEqual(
      MANIFEST.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
      ["apps/v1 Deployment", "v1 Service", "policy/v1 PodDisruptionBudget"],
    )
    const { template, selector } = deployment.spec
    for (const selected of [selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels])
      assert.deepStrictEqual(selected, template.metadata.labels)
    assert.isBelow(budget.spec.minAvailable, deployment.spec.replicas)
    const environment = ENVIRONMENTS["kubernetes.yaml"]!
    assert.deepStrictEqual(
      CONTAINER.ports.map(({ name, containerPort }: any) => [name, String(containerPort)]),
      [
        ["http", environment["PORT"]],
        ["metrics", environment["SIGHTLINE_METRICS_PORT"]],
      ],
    )
    for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
      const { path, port } = CONTAINER[probe].httpGet
      assert.deepStrictEqual([methodsAt(path), port], [["GET"], "http"])
    }
    assert.strictEqual(service.spec.ports[0].targetPort, "http")
    assert.strictEqual(template.metadata.annotations["prometheus.io/port"], environment["SIGHTLINE_METRICS_PORT"])
    assert.deepStrictEqual(JSON.stringify(CONTAINER.command), argumentsOf("CMD")[0]!.replace(", ", ","))
    const mounts = CONTAINER.volumeMounts.map(({ name }: any) => name)
    assert.sameMembers(
      mounts,
      template.spec.volumes.map(({ name }: any) => name),
    )
    assert.isAbove(template.spec.terminationGracePeriodSeconds, DRAIN_SECONDS + 5)
    const asked = CONTAINER.env.flatMap(({ valueFrom }: any) =>
      valueFrom === undefined ? [] : [valueFrom.secretKeyRef.key],
    )
    const created = [...textOf("docs/deploy/kubernetes.yaml").matchAll(/--from-literal=([\w-]+)=/g)].map(
      ([, key]) => key!,
    )
    assert.sameMembers(asked, created)
  })

  const systemd = spawnSync("systemd-analyze", ["--version"]).status === 0
  it("systemd accepts the unit", needs("systemd-analyze", systemd), () => {
    const directory = mkdtempSync(join(tmpdir(), "sightline-unit-"))
    const unit = join(directory, "sightline.service")
    writeFileSync(unit, UNIT.replaceAll("/usr/local/bin/sightline", process.execPath))
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit])
    rmSync(directory, { recursive: true })
    assert.deepStrictEqual(
      [
        status,
        stderr
          .toString()
          .split("\n")
          .filter((line) => line.includes("sightline")),
      ],
      [0, []],
    )
    assert.isAbove(Number(/^TimeoutStopSec=(\d+)$/m.exec(UNIT)?.[1]), DRAIN_SECONDS + 5)
    assert.match(UNIT, /^ExecStart=\/usr\/local\/bin\/sightline serve$/m)
    assert.include(UNIT, `SIGHTLINE_DATA_DIR=/var/lib/${/^StateDirectory=(.*)$/m.exec(UNIT)?.[1]}`)
  })

  it("the secrets that the files say how to make are long enough", () => {
    const commands = ["compose.yaml", "kubernetes.yaml"].flatMap((file) => [
      ...textOf(`docs/deploy/${file}`).matchAll(/\$\((openssl [^)]+)\)/g),
    ])
    assert.isAbove(commands.length, 3)
    for (const [, command] of commands) {
      const [program, ...args] = command!.split(" ")
      assert.isAtLeast(execFileSync(program!, args).toString().trim().length, 32)
    }
  })
})
