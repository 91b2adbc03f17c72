import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { rolldown } from "rolldown"

/** A module for a browser, with everything that it imports. `directory` has its packages. */
export const bundleFor = async (input: string, directory: string): Promise<string> => {
  const built = await rolldown({
    input,
    cwd: directory,
    platform: "browser",
    tsconfig: false,
    // Tests of the element bundle it from its source.
    resolve: { alias: { "sightline/element": join(import.meta.dirname, "../../../src/adapters/ask/element.ts") } },
    transform: { define: { "process.env.NODE_ENV": '"development"' } },
  })
  const { output } = await built.generate({ format: "esm", codeSplitting: false })
  await built.close()
  return output[0].code
}

/** Serves pages of a host under a strict content security policy; `pages` are their paths with their texts. */
export const servePages = async (pages: Map<string, string>) => {
  const server = createServer((request, response) => {
    const text = pages.get(new URL(request.url!, "http://host").pathname)
    const isScript = request.url!.endsWith(".js")
    response.writeHead(text === undefined ? 404 : 200, {
      "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http://127.0.0.1:*",
    })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
