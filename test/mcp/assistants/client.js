import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

// Prints what the official client of the revision without a handshake gets: `client.js URL KEY`, or `client.js COMMAND ARGUMENTS…`.

const [first, ...rest] = process.argv.slice(2)
const transport = URL.canParse(first)
  ? new StreamableHTTPClientTransport(new URL(first), {
      requestInit: { headers: { authorization: `Bearer ${rest[0]}` } },
    })
  : new StdioClientTransport({ command: first, args: rest, env: process.env })
const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } })
await client.connect(transport)
const { tools } = await client.listTools()
const { structuredContent } = await client.callTool({
  name: "count_deals",
  arguments: { filters: { region: ["EMEA"] } },
})
const { resources } = await client.listResources()
const { contents } = await client.readResource({ uri: resources[0].uri })
const missing = await client.readResource({ uri: "sightline://deals/none é" }).catch(({ code }) => code)
console.log(
  JSON.stringify({
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools: tools.length,
    count: structuredContent.count,
    resources: resources.length,
    length: contents[0].text.length,
    missing,
  }),
)
await client.close()
process.exit()
