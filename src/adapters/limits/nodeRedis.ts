// The build copies these into the package: `@effect/platform-node` would bring an HTTP client and WebSockets along.
export { layer } from "@effect/platform-node/NodeRedis"
export { ErrorReply } from "redis"
