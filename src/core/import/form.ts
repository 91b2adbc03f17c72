import * as Stream from "effect/Stream"
import { MultipartError } from "effect/http/Multipart"
import { BadRequest } from "../http/errors.ts"
import { FILENAME_MISSING, readParts } from "../http/multipart.ts"
import { badRequest } from "../http/validation.ts"

/** The bytes of the one file in a multipart body, as they arrive. Options are in the query, not in the form. */
export const fileInForm = (headers: Record<string, string>, body: Stream.Stream<Uint8Array, BadRequest>) =>
  Stream.suspend(() => {
    let files = 0
    return readParts(headers, body, { maxTotalSize: "1 TiB" }).pipe(
      Stream.flatMap((part): Stream.Stream<Uint8Array, BadRequest | MultipartError> => {
        if (part._tag === "Field") {
          return part.value === "" ? Stream.empty : refuse(part.key, part.key === "file" ? FILENAME_MISSING : NOT_FIELD)
        }
        if (++files > 1 || part.key !== "file") return refuse(part.key, "must be one file, in the part 'file'")
        return part.content
      }),
      Stream.concat(Stream.suspend(() => (files === 0 ? refuse("file", "must be given") : Stream.empty))),
      Stream.mapError((error) => (error instanceof MultipartError ? malformed : error)),
    )
  })

const NOT_FIELD = "must be a parameter of the query, not a field of the form"

const malformed = new BadRequest({ message: "the multipart body is cut off or malformed" })

const refuse = (field: string, reason: string) => Stream.fail(badRequest({ invalid: [{ field, reason }] }, "form"))
