import * as Schema from "effect/Schema"
import { errorCode } from "../../core/common/errorCode.ts"

/** A running server. Closing its scope stops it after the requests in flight finish, for `DRAIN_SECONDS` at most. */
export interface Serving {
  readonly host: string
  readonly port: number
  readonly url: string
}

/** The address is in use or not allowed. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", { message: Schema.String }) {}

/** `url` includes the base path. */
export const serving = (host: string, port: number, basePath = ""): Serving => {
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return { host, port, url: `http://${shown}:${port}${basePath}` }
}

export const cannotListen = (host: string, port: number, cause: unknown) => {
  const code = errorCode(cause)
  const name = typeof cause === "object" && cause !== null && "name" in cause ? String(cause.name) : ""
  const reason =
    code === "EADDRINUSE" || name === "AddrInUse"
      ? "another program uses this port; stop it, or set PORT to another port"
      : code === "EACCES" || name === "PermissionDenied"
        ? "this user lacks the permission; set PORT to 1024 or above"
        : code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || name === "AddrNotAvailable"
          ? "it is not an address of this machine; set HOST to 127.0.0.1 or 0.0.0.0"
          : String(cause)
  return new CannotListen({ message: `cannot listen on ${host}:${port}: ${reason}` })
}
