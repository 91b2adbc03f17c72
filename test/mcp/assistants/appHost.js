import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"

/** Shows a view as an assistant does: `showView(html, result, theme)`, with the host's side of the official package. Records what the view asks for. */
globalThis.showView = async (html, result, theme) => {
  const seen = { opened: [], sizes: [], isInitialized: false }
  globalThis.seen = seen
  const frame = document.createElement("iframe")
  frame.sandbox = "allow-scripts"
  frame.style.cssText = "width:100%;height:600px;border:0"
  document.body.append(frame)
  const bridge = new AppBridge(null, { name: "host", version: "1" }, { openLinks: {} }, { hostContext: { theme } })
  bridge.onopenlink = async ({ url }) => {
    seen.opened.push(url)
    return {}
  }
  bridge.onsizechange = (size) => seen.sizes.push(size)
  bridge.oninitialized = async () => {
    seen.isInitialized = true
    await bridge.sendToolInput({ arguments: {} })
    await bridge.sendToolResult(result)
  }
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = html
  globalThis.tearDown = () => bridge.teardownResource({})
}
