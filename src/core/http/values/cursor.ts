import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"

/** Writes the end of a page as a text that is opaque to callers, and reads it: JSON in Base64url. `decode` returns undefined for any other text. */
export const makeCursor = <A extends ReadonlyArray<unknown>>(position: Schema.Codec<A>) => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(position))
  return {
    encode: (values: A): string => Base64Url.encode(JSON.stringify(values)),
    decode: (text: string): A | undefined =>
      Option.getOrUndefined(Option.flatMap(Result.getSuccess(Base64Url.decodeString(text)), decode)),
  }
}
