import { execFileSync, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { freePort } from "../support/postgres.ts"
import { until } from "../support/until.ts"
import { argumentsOf, DOCKERFILE, ENVIRONMENTS } from "./deployFiles.ts"

it("the Dockerfile's commands build an image's files, and its command serves and is healthy", async () => {
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
    await until("the server is healthy", () => server.exitCode !== null || isHealthy())
    assert.isNull(server.exitCode)
    server.kill()
    assert.strictEqual(await ended, 0)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
