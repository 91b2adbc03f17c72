import { assert, describe, it } from "@effect/vitest"
import { encodeQuery, CopyError, CopyReply } from "../../src/adapters/database/copyReply.ts"
import { makeRandom } from "../support/random.ts"

const message = (letter: string, body: Uint8Array) => {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** The reader's result for a reply that arrives in these pieces. */
const takenFrom = (pieces: ReadonlyArray<Uint8Array>) => {
  const reply = new CopyReply()
  const place = new Uint8Array(Math.max(...pieces.map(({ length }) => length)))
  const rows = pieces.map((piece) => {
    assert.isFalse(reply.ended)
    place.set(piece)
    return Buffer.from(reply.take(place.subarray(0, piece.length)))
  })
  return { rows: Buffer.concat(rows), ended: reply.ended }
}

const inPieces = (bytes: Uint8Array, size: () => number) => {
  const pieces: Array<Uint8Array> = []
  for (let from = 0; from < bytes.length;) {
    pieces.push(bytes.subarray(from, from + size()))
    from += pieces.at(-1)!.length
  }
  return pieces
}

describe("the reply to a COPY", () => {
  it("gives the bytes of its rows and tells its end, however it arrives", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = makeRandom(seed)
      const rows = Array.from({ length: random.below(20) }, () =>
        Buffer.from(Array.from({ length: random.below(random.chance(0.2) ? 400 : 20) }, () => random.below(256))),
      )
      const others = ["N", "S", "A"].map((letter) => message(letter, Buffer.from("said in between\0")))
      const reply = Buffer.concat([
        message("H", Buffer.from([1, 0, 0])),
        ...rows.flatMap((row) => [message("d", row), ...(random.chance(0.1) ? [random.pick(others)] : [])]),
        message("c", Buffer.alloc(0)),
        message("C", Buffer.from("COPY 7\0")),
        message("Z", Buffer.from("T")),
      ])
      for (const most of [1, 7, 64, 10_000]) {
        const { rows: taken, ended } = takenFrom(inPieces(reply, () => 1 + random.below(most)))
        assert.isTrue(taken.equals(Buffer.concat(rows)), `seed ${seed}, pieces of up to ${most}`)
        assert.isTrue(ended)
      }
    }
  })

  it("that is an error says what PostgreSQL says, and its number", () => {
    const wrong = message("E", Buffer.from("SERROR\0VERROR\0C53100\0Mdisk full\0Fmd.c\0\0"))
    for (const size of [1, 6, 1000]) {
      assert.throws(() => takenFrom(inPieces(wrong, () => size)), CopyError, "disk full")
      try {
        takenFrom(inPieces(wrong, () => size))
      } catch (error) {
        assert.strictEqual((error as CopyError).code, "53100")
      }
    }
  })

  it("is asked for as the protocol has it", () => {
    assert.isTrue(Buffer.from(encodeQuery("copy é")).equals(message("Q", Buffer.from("copy é\0"))))
  })
})
