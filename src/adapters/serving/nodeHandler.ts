// The build copies this into the package: `@effect/platform-node` would bring Redis, an HTTP client and WebSockets along.
export { makeHandler } from "@effect/platform-node/NodeHttpServer"
