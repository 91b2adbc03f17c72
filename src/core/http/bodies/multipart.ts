import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { MultipartError } from "effect/http/Multipart"
import * as Parser from "effect/http/MultipartParser"

export type MultipartPart<E> =
  | { readonly _tag: "Field"; readonly key: string; readonly value: string }
  | {
      readonly _tag: "File"
      readonly key: string
      /** Undefined if the part has no filename. */
      readonly name: string | undefined
      readonly contentType: string
      readonly content: Stream.Stream<Uint8Array, E | MultipartError>
    }

const MAX_PARTS = 50
const MAX_FIELD_SIZE = "64 KiB"

/** Why a text field named `file` is refused. */
export const FILENAME_MISSING =
  'must be a file, but its part has neither a filename nor a Content-Type, as in: form-data; name="file"; filename="prices.pdf"'

/**
 * Reads the parts of a multipart body as they arrive. The consumer reads or drains each file before the next part. Effect's
 * `makeChannel` takes every part without a filename for text; here, `file` with a Content-Type is a file.
 */
export const readParts = <E>(
  headers: Record<string, string>,
  body: Stream.Stream<Uint8Array, E>,
  limits: Limits,
): Stream.Stream<MultipartPart<E>, E | MultipartError> =>
  Stream.transformPull(body, (upstream) => Effect.sync(() => pullParts(headers, upstream, limits)))

type Limits = Pick<Parser.Config, "maxPartSize" | "maxTotalSize">
type PullOf<A, E> = Pull.Pull<Arr.NonEmptyReadonlyArray<A>, E>

const pullParts = <E>(
  headers: Record<string, string>,
  upstream: PullOf<Uint8Array, E>,
  limits: Limits,
): PullOf<MultipartPart<E>, E | MultipartError> => {
  let end: PullOf<never, E | MultipartError> | undefined
  const parts: Array<MultipartPart<E>> = []
  /** Takes what the parser has queued, or writes more of the body to it. */
  const pullQueue = <A>(queue: Array<A>, isWhole = () => false): PullOf<A, E | MultipartError> =>
    Effect.suspend(() => {
      const queued = queue.splice(0)
      if (queued.length > 0) return Effect.succeed(queued as unknown as Arr.NonEmptyReadonlyArray<A>)
      if (isWhole()) return Cause.done()
      return end ?? Effect.flatMap(pump, () => pullQueue(queue, isWhole))
    })

  const parser = Parser.make({
    headers,
    ...limits,
    maxParts: MAX_PARTS,
    maxFieldSize: MAX_FIELD_SIZE,
    isFile: (info) =>
      Parser.defaultIsFile(info) || (info.name === "file" && info.headers["content-type"] !== undefined),
    onField: (info, value) => {
      parts.push({ _tag: "Field", key: info.name, value: Parser.decodeField(info, value) })
    },
    onFile: ({ name, filename, contentType }) => {
      const chunks: Array<Uint8Array> = []
      let isWhole = false
      const content = Stream.fromPull(Effect.sync(() => pullQueue(chunks, () => isWhole)))
      parts.push({ _tag: "File", key: name, name: filename, contentType, content })
      return (chunk) => {
        if (chunk === null) isWhole = true
        else chunks.push(chunk)
      }
    },
    onError: (error) => {
      const isTooLarge =
        error._tag === "ReachedLimit" && (error.limit === "MaxPartSize" || error.limit === "MaxTotalSize")
      end = Effect.fail(MultipartError.fromReason(isTooLarge ? "FileTooLarge" : "Parse", error))
    },
    onDone: () => {
      end ??= Cause.done()
    },
  })
  const pump = Pull.matchEffect(upstream, {
    onSuccess: (chunks) => Effect.sync(() => chunks.forEach(parser.write)),
    onFailure: (cause) => Effect.sync(() => void (end = Effect.failCause(cause))),
    onDone: () => Effect.sync(parser.end),
  })
  return pullQueue(parts)
}
