import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { makeHandler } from "../../src/adapters/serving/nodeHandler.ts"
import { Admission } from "../../src/core/access/Admission.ts"
import { Authentication } from "../../src/core/access/Authentication.ts"
import { BaseUrl } from "../../src/core/http/addresses/BaseUrl.ts"
import { Settings } from "../../src/core/http/Settings.ts"
import { makeDispatcher, type Offer, type Params } from "../../src/core/mcp/makeDispatcher.ts"
import { Mcp, type Notify } from "../../src/core/mcp/Mcp.ts"
import { CODES, RpcError } from "../../src/core/mcp/messages.ts"
import { mcp } from "../../src/core/mcp/routes.ts"
import { capabilitiesOf } from "../../src/core/mcp/stateless.ts"
import { envelope } from "../../src/core/server/envelope.ts"
import { Grants } from "../../src/core/oauth/Grants.ts"

/** A picture of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
/** A recording without a sample. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

const text = (said: string) => ({ type: "text", text: said })
const picture = { type: "image", data: PNG, mimeType: "image/png" }
const resource = (uri: string, mimeType: string, said: string) => ({
  type: "resource",
  resource: { uri, mimeType, text: said },
})

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  ...JSON.parse(
    '{"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]}}',
  ),
  additionalProperties: false,
}

const NAME = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "What is your name?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  },
}
const QUESTION = {
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: text("What is the capital of France?") }], maxTokens: 100 },
}
const ROOTS = { method: "roots/list", params: {} }

const isRecord = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Requests these inputs until the call has them all. */
const withInputs = (inputRequests: Params) => (params: Params) => {
  const responses = isRecord(params["inputResponses"]) ? params["inputResponses"] : {}
  return Effect.succeed(
    Object.keys(inputRequests).every((name) => isRecord(responses[name]))
      ? { content: [text(JSON.stringify(responses))] }
      : { resultType: "input_required", inputRequests },
  )
}

const progress = Effect.fnUntraced(function* ({ _meta }: Params, notify: Notify) {
  const progressToken = isRecord(_meta) ? _meta["progressToken"] : undefined
  for (const done of [0, 50, 100])
    yield* notify({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken, progress: done, total: 100 },
    })
  // A reply that is not fast comes as a stream, which has the notifications.
  yield* Effect.sleep("3 seconds")
  return { content: [text("done")] }
})

type Call = (params: Params, notify: Notify) => Effect.Effect<object, RpcError>
const returns =
  (...content: ReadonlyArray<object>) =>
  () =>
    Effect.succeed({ content })

/** The tools that the conformance suite calls, as it describes them. */
const TOOLS: Readonly<Record<string, Call>> = {
  test_simple_text: returns(text("This is a simple text response for testing.")),
  test_image_content: returns(picture),
  test_audio_content: returns({ type: "audio", data: WAV, mimeType: "audio/wav" }),
  test_embedded_resource: returns(resource("test://embedded-resource", "text/plain", "This is an embedded resource.")),
  test_multiple_content_types: returns(
    text("Multiple content types test:"),
    picture,
    resource("test://mixed-content-resource", "application/json", '{"test":"data"}'),
  ),
  test_error_handling: () => Effect.succeed({ content: [text("This tool fails.")], isError: true }),
  test_tool_with_progress: progress,
  json_schema_2020_12_tool: returns(text("{}")),
  test_input_required_result_elicitation: withInputs({ user_name: NAME }),
  test_input_required_result_sampling: withInputs({ capital_question: QUESTION }),
  test_input_required_result_list_roots: withInputs({ client_roots: ROOTS }),
  // Only what the client can do.
  test_input_required_result_capabilities: (params) => {
    const can = capabilitiesOf(params) ?? {}
    return withInputs({
      ...("elicitation" in can && { name: NAME }),
      ...("sampling" in can && { question: QUESTION }),
    })(params)
  },
}

const RESOURCES: Readonly<Record<string, object>> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
}

const readResource = (uri: string) => {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? []
  const found =
    id === undefined
      ? RESOURCES[uri]
      : { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) }
  return found === undefined
    ? Effect.fail(new RpcError({ code: CODES.resource, message: "this resource does not exist" }))
    : Effect.succeed({ contents: [{ uri, ...found }] })
}

const OFFER: Offer = {
  info: { name: "fixtures", version: "1.0.0" },
  instructions: () => Effect.succeed("A server of fixtures."),
  listTools: () =>
    Object.keys(TOOLS).map((name) => ({
      name,
      description: name,
      inputSchema: name === "json_schema_2020_12_tool" ? SCHEMA : { type: "object" },
    })),
  callTool: (_, params, notify) => {
    const call = TOOLS[String(params["name"])]
    return call === undefined
      ? Effect.fail(new RpcError({ code: CODES.params, message: "this tool does not exist" }))
      : call(params, notify)
  },
  templates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  listResources: () => Effect.succeed({ resources: Object.keys(RESOURCES).map((uri) => ({ uri, name: uri })) }),
  readResource: (_, uri) => readResource(uri),
}

const CALLER = { organizationId: "org_fixtures", keyId: "key_fixtures", permissions: [] }

/** The dispatcher and route of the product, with the fixtures of the conformance suite, open to everybody on this machine. Returns its address. */
export const serveFixtures = Effect.gen(function* () {
  const stubs = Layer.mergeAll(
    Layer.succeed(Mcp, makeDispatcher(OFFER)),
    Layer.succeed(Authentication, { authenticate: () => Effect.succeed(CALLER) } as never),
    Layer.succeed(Admission, {} as never),
    Layer.succeed(Grants, {} as never),
    Layer.succeed(BaseUrl, {} as never),
    Layer.succeed(Settings, { publicUrl: undefined, corsOrigins: [] } as never),
  )
  const app = yield* HttpRouter.toHttpEffect(Layer.provide(mcp, stubs))
  const handler = yield* makeHandler(envelope(app), { scope: yield* Effect.scope })
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = createServer(handler)
      await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve))
      return made
    }),
    (made) => Effect.sync(() => (made.closeAllConnections(), made.close())),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})
