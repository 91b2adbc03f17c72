// The build copies this into the package: `@effect/platform-node` would bring an HTTP client and WebSockets along.
export { layer } from "@effect/platform-node/NodeRedis"
