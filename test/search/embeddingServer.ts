import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { makeRandom } from "../support/random.ts"

/** Words that mean alike, by the first of them. */
const SYNONYMS = ["cost price charge fee tariff", "crew team staff", "outage downtime disruption"].map((line) =>
  line.split(" "),
)
const meaning = new Map(SYNONYMS.flatMap((words) => words.map((word) => [word, words[0]!] as const)))

const WORD_VECTORS = new Map<string, ReadonlyArray<number>>()
const ofWord = (word: string, dimensions: number) => {
  const key = `${word} ${dimensions}`
  const known = WORD_VECTORS.get(key)
  if (known !== undefined) return known
  const random = makeRandom([...word].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, dimensions))
  const vector = Array.from({ length: dimensions }, () => random.next() + random.next() + random.next() - 1.5)
  WORD_VECTORS.set(key, vector)
  return vector
}

/** A weak model: every word alike, however common, but for a few synonyms. */
export const embedded = (text: string, dimensions = 256): ReadonlyArray<number> => {
  const sum = Array.from({ length: dimensions }, () => 0.01)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const stem = word.replace(/(?<=...)s$/, "")
    ofWord(meaning.get(stem) ?? stem, dimensions).forEach((number, index) => (sum[index]! += number))
  }
  return sum
}

/** A server on this machine that speaks OpenAI's embeddings. What it does may be changed while it runs. */
export const embeddingServer = Effect.gen(function* () {
  const server = {
    url: "",
    /** Models it has, and how long their vectors are. */
    models: new Map([["weak", 256]]),
    /** Answers to give before it answers well again; all of them, where the last is repeated. */
    failures: [] as Array<{ readonly status: number; readonly headers?: Record<string, string> }>,
    isDown: false,
    /** Refuses a request that holds a text with this in it. */
    refused: undefined as string | undefined,
    requests: [] as Array<{ readonly model: string; readonly input: ReadonlyArray<string>; readonly key?: string }>,
  }
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const listening = createServer(async (incoming, outgoing) => {
        let text = ""
        for await (const piece of incoming) text += String(piece)
        const { model, input } = JSON.parse(text) as { model: string; input: ReadonlyArray<string> }
        server.requests.push({ model, input, key: incoming.headers.authorization ?? "" })
        if (server.isDown) return void outgoing.destroy()
        const failure = server.failures.shift()
        if (failure !== undefined) return void outgoing.writeHead(failure.status, failure.headers).end("{}")
        const dimensions = server.models.get(model)
        if (dimensions === undefined) return void outgoing.writeHead(404).end("{}")
        if (input.some((each) => server.refused !== undefined && each.includes(server.refused)))
          return void outgoing.writeHead(400).end("{}")
        const data = input.map((each, index) => ({ index, embedding: embedded(each, dimensions) }))
        outgoing
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ object: "list", model, data: data.toReversed() }))
      })
      await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
      server.url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v1`
      return listening
    }),
    (listening) => Effect.sync(() => (listening.closeAllConnections(), listening.close())),
  )
  return server
})
