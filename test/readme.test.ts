import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Export } from "../src/core/exports/contract.ts"
import { start } from "./adapters/processes.ts"
import { blocksOf, root, terminal, textOf } from "./support/terminal.ts"
import { throttled, until } from "./support/until.ts"

/** Pages whose `sh` blocks are pasted into one terminal, in this order. */
const PAGES = ["README.md", "docs/api.md", "docs/import.md"]
const blocks = PAGES.flatMap((page) => blocksOf(page, "sh"))

const directory = mkdtempSync(join(tmpdir(), "sightline-readme-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The server that the other blocks call; this test; what the tests of the binary and of the package run. */
const NOT_PASTED = /^npm ci && npm start$|^npm test$|build:binary|deno serve/m

describe("the README and the pages of docs", () => {
  // A fresh checkout, in which the demo creates `.sightline`.
  const repository = join(directory, "repository")
  const demo: { stop?: () => Promise<unknown>; url: string; key: string; lines: ReadonlyArray<string> } = {
    url: "",
    key: "",
    lines: [],
  }
  beforeAll(async () => {
    mkdirSync(repository)
    for (const name of ["package.json", "src", "docs", "node_modules"])
      symlinkSync(join(root, name), join(repository, name))
    const server = start("Node", ["demo"], { PORT: "0" }, { cwd: repository })
    demo.stop = () => {
      server.child.kill("SIGTERM")
      return server.finished
    }
    await until("the demo serves", () => server.stdout().includes("Try:") || server.child.exitCode !== null)
    demo.lines = server.stdout().split("\n")
    demo.url = /serves a demo workspace at (\S+)/.exec(server.stdout())?.[1] ?? ""
    demo.key = /export KEY=(\S+)/.exec(server.stdout())?.[1] ?? ""
  })
  afterAll(() => demo.stop?.())

  const api = (path: string) =>
    until<any>(path, async () => {
      const reply = await fetch(`${demo.url}/api/v1${path}`, { headers: { authorization: `Bearer ${demo.key}` } })
      return throttled(reply) ?? (await reply.json())
    })

  /** Checks the output of a block; the key is a text in the block, the first that matches counts. */
  const CHECKS: Readonly<Record<string, (printed: string) => Promise<void> | void>> = {
    "export KEY=": () => {},
    "count=true": (printed) => assert.isAbove(JSON.parse(printed).count, 0),
    "driver_effect=": (printed) => {
      const deals = JSON.parse(printed)
      assert.isAbove(deals.length, 0)
      for (const { drivers } of deals) assert.include(JSON.stringify(drivers), "Total cost")
    },
    '"$BASE/deals/report"': (printed) => {
      const { data, meta } = JSON.parse(printed)
      assert.isAbove(data.length, 0)
      assert.deepStrictEqual(meta.overlapping, ["competitor"])
      for (const { group, values } of data) {
        assert.hasAllKeys(group, ["competitor", "close_date.quarter"])
        assert.hasAllKeys(values, ["win_rate", "deals"])
      }
    },
    '"$BASE/product-intelligence/report"': (printed) => {
      const lost = JSON.parse(printed).data.map(({ values }: { values: { amount_lost: number } }) => values.amount_lost)
      assert.isAbove(lost.length, 0)
      assert.deepStrictEqual(
        lost,
        lost.toSorted((a: number, b: number) => b - a),
      )
    },
    'curl -s -G "$BASE/deals"': (printed) => {
      const deals = JSON.parse(printed)
      assert.isAbove(deals.length, 0)
      assert.hasAllKeys(deals[0], ["id", "name", "amount", "client_name", "primary_competitor", "drivers"])
    },
    '"$BASE/product-intelligence"': (printed) => assert.isAbove(JSON.parse(printed).meta.count, 0),
    '"$BASE/responses"': (printed) => {
      const { message, tool_calls } = JSON.parse(printed)
      assert.match(message.content, /^\*\*\d+ lost deals\*\*, worth /)
      assert.isAbove(message.citations.length, 0)
      assert.include(tool_calls, "report_deals")
    },
    "sightline -- ask": (printed) => {
      // The demo's amounts change with the date; the README shows the same lines with those of one day.
      assert.match(printed, /^\*\*[^*]+\*\* has the highest lost amount: [\d.]+ m EUR\.$/m)
      assert.include(printed, "| Competitor | Lost amount | Lost deals |\n| --- | ---: | ---: |\n")
      assert.match(printed, /Sources\n\[1\] Report: lost amount by competitor\S* .*http:\/\//)
    },
    "/documents/library": async (printed) => {
      const { document } = JSON.parse(printed)
      await until("the document is ready", async () => (await api(`/documents/${document.id}`)).status === "ready")
    },
    'curl -s -i "$BASE/deals/export"': async (printed) => {
      const location = /^location: (.+?)\r?$/im.exec(printed)?.[1] ?? ""
      const path = new URL(location, demo.url).pathname.replace("/api/v1", "")
      await until("the export completes", async () => (await api(path)).status === "completed")
      const { download_url, row_count } = (await api(path)) as Export
      const csv = await (await fetch(new URL(download_url ?? "", demo.url))).text()
      assert.match(csv, /^name,amount,close_date,client_name,competitors\r\n/)
      assert.isAbove(row_count ?? 0, 0)
    },
    'curl -s "$BASE/deals/export"': async (printed) => {
      const { export_id } = JSON.parse(printed) as { export_id: string }
      const path = `/deals/export/${export_id}`
      await until("the export for semicolons completes", async () => (await api(path)).status === "completed")
      const { download_url } = (await api(path)) as Export
      const csv = await (await fetch(new URL(download_url ?? "", demo.url))).arrayBuffer()
      assert.match(new TextDecoder("utf-8", { ignoreBOM: true }).decode(csv), /^\ufeffname;amount\r\n/)
    },
    '"$BASE/changes"': (printed) => {
      const { data, next_cursor } = JSON.parse(printed)
      assert.lengthOf(data, 100)
      assert.isString(next_cursor)
    },
    'curl -s "$BASE/workspace"': (printed) => {
      const { stages, settings } = JSON.parse(printed)
      assert.lengthOf(stages.data, 6)
      assert.notStrictEqual(settings.fiscal_start, 4)
    },
    'curl -s -X PUT "$BASE/workspace"': (printed) => {
      const { currency, fiscal_start } = JSON.parse(printed)
      assert.deepStrictEqual({ currency, fiscal_start }, { currency: "EUR", fiscal_start: 4 })
    },
    "orgs create": (printed) => {
      assert.match(printed, /^sl_live_[0-9A-Za-z]{49}$/m)
      assert.match(printed, /8 records in [\d.]+ s: 8 created/)
      assert.match(printed, /battlecard\.md \(doc_\w+\): ready/)
    },
    "--type deal deals.csv": (printed) => assert.include(printed, " 0 created, 0 updated, 4 unchanged, 0 failed"),
    "$at/sales_pipeline.csv": (printed) => {
      const made = [...printed.matchAll(/(\d+) created, 0 updated, (\d+) unchanged, 0 failed/g)]
      assert.deepStrictEqual(
        made.map(([, created]) => Number(created)),
        [2, 1, 0, 2],
        printed,
      )
    },
  }

  it("use the address and key that the demo prints", async () => {
    assert.include(demo.lines, `export BASE=${demo.url}/api/v1`)
    assert.include(demo.lines, `export KEY=${demo.key}`)
    assert.isAbove((await api("/deals?page_size=1")).length, 0)
  })

  it("run as they are: every block, pasted in order into a terminal beside the demo", async () => {
    const pasted = blocks.filter((block) => !NOT_PASTED.test(block))
    const shown = terminal(repository)
    for (const block of pasted) {
      const check = Object.entries(CHECKS).find(([text]) => block.includes(text))?.[1]
      assert.isDefined(check, `no check reads the output of this block:\n${block}`)
      // Only the port differs from the page.
      await check!(await shown.paste(block.replace("http://127.0.0.1:8787", demo.url)))
    }
    // Importing the same files again changes nothing.
    const again = await shown.paste(pasted.find((block) => block.includes("$at/sales_pipeline.csv"))!)
    assert.lengthOf([...again.matchAll(/ 0 created, 0 updated, \d+ unchanged, 0 failed/g)], 4, again)
    shown.close()
  })

  it("have no comments that an interactive zsh would run", () => {
    for (const line of blocks.flatMap((block) => block.split("\n"))) {
      if (line.startsWith("#")) assert.notMatch(line, /[;'"`()&|<>]/)
      else assert.notInclude(line, " # ")
    }
  })

  it("docs/configuration.md names every variable that is read, and no other", () => {
    const config = textOf("src/adapters/configuration/configuration.ts")
    const names = /(?:SIGHTLINE|AWS)_[A-Z_]+|HOST|PORT/.source
    const read = [...config.matchAll(new RegExp(`read\\("(${names})"`, "g"))].map(([, name]) => name)
    const rows = [...textOf("docs/configuration.md").matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!)
    const named = rows.flatMap((cell) => [...cell.matchAll(new RegExp(`\`(${names})\``, "g"))].map(([, name]) => name))
    assert.isAbove(read.length, 20)
    assert.sameMembers(named, read)
  })

  it("README.md has fewer than 140 lines", () => assert.isBelow(textOf("README.md").trimEnd().split("\n").length, 140))
})
