import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Sightline from "../../src/core/Sightline.ts"
import { untilEffect } from "../support/until.ts"
import { UNLIMITED } from "../support/unlimited.ts"

export const utf8 = (text: string) => Stream.succeed(new TextEncoder().encode(text))

/** An organization with records, documents (read and waiting), an export, a key and a webhook. */
export const fill = Effect.fnUntraced(function* (word: string) {
  const organizations = yield* Sightline.Organizations
  const documents = yield* Sightline.Documents
  const exports = yield* Sightline.Exports
  const { id: org } = yield* organizations.create({ name: word, plan: UNLIMITED })
  yield* (yield* Sightline.ApiKeys).create(org, { name: word, role: "owner" })
  yield* organizations.update(org, { plan: "growth" })
  const records = [
    { type: "stage", id: "won", name: `Won ${word}`, category: "won" },
    { type: "competitor", id: "rival", name: `${word} Systems` },
    { type: "feature", id: "f", name: `${word} offline` },
    {
      type: "deal",
      id: "d1",
      name: `${word} renewal`,
      amount: 5,
      summary: word,
      competitors: [{ competitor: "rival" }],
    },
    { type: "association", id: "a1", deal: "d1", feature: "f", influence_summary: word, tags: [word] },
  ]
  const lines = records.map((record) => JSON.stringify(record)).join("\n")
  yield* (yield* Sightline.Import).run(org, { format: "ndjson", bytes: utf8(lines) })
  const upload = (name: string) =>
    documents.upload(
      org,
      { type: "intel", competitor: "rival" },
      {
        file_name: `${word} ${name}.md`,
        content_type: "text/markdown",
        bytes: utf8(`# ${word}\n\n${name} of ${word}.\n`),
      },
    )
  const { document } = yield* upload("prices")
  yield* untilEffect(
    "the document is read",
    Effect.map(documents.get(org, document.id), ({ status }) => status === "ready"),
  )
  const id = yield* exports.submit(org, { columns: ["name"], filters: {}, csvSafe: true })
  yield* untilEffect(
    "the export completes",
    Effect.map(exports.find(org, id), ({ status }) => status === "completed"),
  )
  yield* (yield* Sightline.Webhooks).create(org, { url: "https://93.184.215.14/", description: word } as never)
  yield* upload("terms")
  return { org, document: document.id, export: id }
})
