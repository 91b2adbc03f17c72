import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { startServer } from "./adapters/processes.ts"
import { until } from "./support/until.ts"
import { blocksOf, environment, root, terminal, textOf } from "./support/terminal.ts"
import { startEndpoint } from "./webhooks/endpoint.ts"

const directory = mkdtempSync(join(tmpdir(), "sightline-commands-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const dataDirectory = (name: string) => ({ SIGHTLINE_DATA_DIR: join(directory, name) })

/** Creates an organization and a key of its own. */
const createTenant = async ({ paste }: ReturnType<typeof terminal>) => {
  const { id } = JSON.parse(await paste("npm run -s sightline -- orgs create --name Acme --plan growth --json"))
  const key = JSON.parse(await paste(`npm run -s sightline -- keys create --org ${id} --role admin --json`))
  return { org: id as string, key: key as { readonly id: string; readonly key: string } }
}

/** Runs a command that does not end by itself, and ends it after `use`. */
const during = async <A>(
  command: string,
  settings: Record<string, string>,
  isReady: (stdout: string) => boolean,
  use: (stdout: () => string) => Promise<A>,
): Promise<A> => {
  const child = spawn("bash", ["-c", command], { cwd: root, env: { ...environment, ...settings }, detached: true })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  try {
    await until(`ready: ${command}`, () => isReady(stdout) || child.exitCode !== null)
    assert.isNull(child.exitCode, `${command}\n${stderr}`)
    return await use(() => stdout)
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, "SIGTERM")
    await until(`ended: ${command}`, () => child.exitCode !== null || child.signalCode !== null)
  }
}

describe("the commands in docs", () => {
  it("of docs/operator.md list, change and erase an organization", async () => {
    const shell = terminal(root, dataDirectory("operator"))
    const { org } = await createTenant(shell)
    const [block = "", ...others] = blocksOf("docs/operator.md", "sh")
    assert.lengthOf(others, 0)
    const printed = await shell.paste(block.replaceAll("org_…", org))
    shell.close()
    const [listed, changed, erased] = ["growth", "enterprise", "Erased"].map((word) => printed.indexOf(word))
    assert.isTrue(-1 < listed! && listed! < changed! && changed! < erased!, printed)
  })

  it("of docs/runbook.md work on a directory of data, ids filled in", async () => {
    const settings = dataDirectory("runbook")
    const elsewhere = `${settings.SIGHTLINE_DATA_DIR}-elsewhere`
    const shell = terminal(root, settings)
    const { org, key } = await createTenant(shell)
    await shell.paste(`sightline() { npm run -s sightline -- "$@"; }`)
    // Other tests serve; the rest needs the programs of a PostgreSQL server.
    const commands = [...textOf("docs/runbook.md").matchAll(/^ {4,}(sightline (?!serve).*)$/gm)].map(
      ([, text]) => text!,
    )
    assert.isAtLeast(commands.length, 7)
    for (const command of commands) {
      const filled = command
        .replace("org_…", org)
        .replace("key_…", key.id)
        .replace("postgres://…", `${elsewhere}/data`)
        .replace("backup ", `backup ${elsewhere}-`)
      assert.notInclude(filled, "…")
      await shell.paste(filled)
    }
    assert.notInclude(await shell.paste("sightline orgs list"), org)
    shell.close()
  })

  it.each(blocksOf("docs/models.md", "sh"))("of docs/models.md serve: %s", async (block) => {
    const settings = { ...dataDirectory("models"), PORT: "0" }
    await during(
      block,
      settings,
      (stdout) => stdout.includes("listens at"),
      async (stdout) => {
        const [, url] = /listens at (\S+)/.exec(stdout())!
        const { status, answers } = (await (await fetch(`${url}/health/ready`)).json()) as Record<string, string>
        assert.deepStrictEqual([status, answers], ["ready", block.includes("MODEL_URL") ? "agent" : "extractive"])
      },
    )
  })

  it("of docs/webhooks.md create a webhook, and print its deliveries", async () => {
    const [create = "", own = "", listen = "", ...others] = blocksOf("docs/webhooks.md", "sh")
    assert.lengthOf(others, 0)
    const endpoint = await startEndpoint()
    const [, test = ""] = /`(curl -s -X POST "\$BASE\/webhooks\/[^`]+)`/.exec(textOf("docs/webhooks.md"))!
    // A free port, which the listener takes over from this endpoint.
    const hosts = { SIGHTLINE_WEBHOOK_HOSTS: `localhost:${endpoint.port}` }
    const settings = dataDirectory("webhooks")
    const shell = terminal(root, settings)
    const { key } = await createTenant(shell)
    const server = await startServer("Node", { ...settings, ...hosts })
    try {
      await shell.paste(`export BASE=${server.url}/api/v1 KEY=${key.key}`)
      const at = `http://localhost:${endpoint.port}/`
      const made = JSON.parse(await shell.paste(create.replace("https://example.com/hooks", at)))
      assert.deepStrictEqual(made.event_types, ["deal.created", "document.ready"])
      const { id, secret } = JSON.parse(await shell.paste(own.replace("http://localhost:9290/", at)))
      endpoint.stop()
      const command = listen.trim().replace("whsec_…", secret)
      await during(
        `${command} --port ${endpoint.port}`,
        {},
        (stdout) => stdout.includes("\n"),
        async (stdout) => {
          await shell.paste(test.replace("wh_…", id))
          await until("the ping is delivered", () => /  ping  \{\}  msg_/.test(stdout()))
        },
      )
    } finally {
      shell.close()
      server.child.kill("SIGTERM")
      await server.finished
    }
  })
})
