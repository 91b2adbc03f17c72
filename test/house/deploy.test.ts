import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { configuration } from "../../src/adapters/configuration/configuration.ts"
import { DRAIN_SECONDS } from "../../src/adapters/serving/serving.ts"
import { methodsAt } from "../../src/core/server/methods.ts"
import { needs } from "../support/needs.ts"
import { argumentsOf, COMPOSE, CONTAINER, DOCKERFILE, ENVIRONMENTS, MANIFEST, textOf, UNIT } from "./deployFiles.ts"

/** A value in the place of a secret that the file leaves to its reader. */
const fill = (name: string, value: string | undefined) =>
  value === undefined || /\$\{/.test(value)
    ? name === "SIGHTLINE_DATABASE_URL"
      ? "postgres://user:password@host:5432/sightline"
      : name === "SIGHTLINE_BASE_URL"
        ? "http://localhost:8787"
        : "x".repeat(32)
    : value

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

  it("the Dockerfile exposes its port and keeps the data in its volume, which its user owns", () => {
    const environment = ENVIRONMENTS["Dockerfile"]!
    assert.deepStrictEqual(argumentsOf("EXPOSE"), [environment["PORT"]!])
    assert.deepStrictEqual(argumentsOf("VOLUME"), [environment["SIGHTLINE_DATA_DIR"]!])
    const [user] = argumentsOf("USER")
    assert.isTrue(argumentsOf("COPY").some((copy) => copy.includes(`--chown=${user} `) && copy.endsWith(" /data")))
    const { runAsUser } = MANIFEST[0].spec.template.spec.securityContext
    assert.strictEqual(user, `${runAsUser}:${runAsUser}`)
  })

  it("the Dockerfile's installation, which comes before the sources, ends well without them", () => {
    const directory = mkdtempSync(join(tmpdir(), "sightline-install-"))
    try {
      const install = DOCKERFILE.findIndex(([, rest]) => rest.startsWith("npm ci"))
      for (const [name, rest] of DOCKERFILE.slice(0, install))
        if (name === "COPY")
          for (const source of rest.split(" ").slice(0, -1))
            cpSync(source, join(directory, source), { recursive: true })
      symlinkSync(resolve("node_modules"), join(directory, "node_modules"))
      execFileSync("npm", ["run", "prepare"], { cwd: directory, stdio: "pipe" })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
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
