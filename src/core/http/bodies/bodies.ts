import * as ByteSize from "effect/ByteSize"
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { PayloadTooLarge, UnsupportedMediaType } from "../errors/errors.ts"
import { LargestBody } from "../api/annotations.ts"

/** The largest body read into memory; `LargestBody` raises it for an endpoint. Streaming paths have their own limits. */
export const MAX_BODY = ByteSize.fromInputUnsafe("1 MiB")

const MIB = 1024 * 1024

/** `52,428,800 bytes (50 MiB)`. */
export const formatBytes = (bytes: number): string => {
  const exact = `${bytes.toLocaleString("en-US")} bytes`
  return bytes < MIB ? exact : `${exact} (${Number((bytes / MIB).toFixed(1))} MiB)`
}

type Endpoint = HttpApiEndpoint.Top | undefined

/** The error for a body that exceeds the limit of `endpoint`. */
export const bodyTooLarge = (endpoint: Endpoint) => {
  const limit = (endpoint && Context.get(endpoint.annotations, LargestBody)) ?? MAX_BODY
  const other = listContentTypes(endpoint).includes("multipart/form-data")
    ? "; send the file as multipart/form-data"
    : ""
  return new PayloadTooLarge({
    message: `the body is larger than ${formatBytes(Number(limit))}, the limit of this path${other}`,
    details: { max_bytes: Number(limit) },
  })
}

export const wrongContentType = (endpoint: Endpoint, given: string | undefined) => {
  const types = listContentTypes(endpoint)
  return new UnsupportedMediaType({
    message: `Content-Type must be ${types.join(" or ")}${given === undefined ? "" : `, not '${given.slice(0, 100)}'`}`,
    details: { accepted: types },
  })
}

const listContentTypes = (endpoint: Endpoint): ReadonlyArray<string> => {
  const types = endpoint === undefined ? [] : [...endpoint.payload.keys()]
  return types.length === 0 ? ["application/json"] : types
}

/** The error for a compressed body where only an import takes one. Undefined without `Content-Encoding`. */
export const encodedBody = (encoding: string | undefined) =>
  encoding === undefined || encoding === "identity"
    ? undefined
    : new UnsupportedMediaType({
        message: `this path takes no Content-Encoding, unlike '${encoding.slice(0, 100)}'; send the JSON as it is`,
      })
