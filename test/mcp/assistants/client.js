import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

// Prints what the official client of the revision without a handshake gets: `client.js URL KEY`, or `client.js COMMAND ARGUMENTS…`.

const [first, ...rest] = process.argv.slice(2)
const transport = URL.canParse(first)
  ? new StreamableHTTPClientTransport(new URL(first), {
      requestInit: { headers: { authorization: `Bearer ${rest[0]}` } },
    })
  : new StdioClientTransport({ command: first, args: rest, env: process.env })
const client = new Client(
  { name: "test", version: "1" },
  { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {} } } },
)
// The person chooses the last of the questions that the form offers.
client.setRequestHandler("elicitation/create", ({ params }) => ({
  action: "accept",
  content: { reading: params.requestedSchema.properties.reading.enum.at(-1) },
}))
await client.connect(transport)
const { tools } = await client.listTools()
const { structuredContent } = await client.callTool({
  name: "count_deals",
  arguments: { filters: { region: ["EMEA"] } },
})
const say = (content) => JSON.stringify([{ type: "content_delta", content }])
const question = say(`Which do you mean?\n\nYou can ask:\n- ${say("the first")}\n- ${say("the last")}\n`)
const chosen = await client.callTool({ name: "ask", arguments: { question } })
const { resources } = await client.listResources()
const { contents } = await client.readResource({ uri: resources[0].uri })
const missing = await client.readResource({ uri: "sightline://deals/none é" }).catch(({ code }) => code)
console.log(
  JSON.stringify({
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools: tools.length,
    count: structuredContent.count,
    chosen: chosen.structuredContent.answer,
    resources: resources.length,
    length: contents[0].text.length,
    missing,
  }),
)
await client.close()
process.exit()
