import { connect, createServer, type AddressInfo, type Socket } from "node:net"

/** A TCP relay to a local server that tests can cut and restore. */
export interface Relay {
  readonly port: number
  readonly cut: () => Promise<void>
  readonly mend: () => Promise<void>
}

export const startRelay = async (to: number): Promise<Relay> => {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1")
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on("error", () => other.destroy())
      one.on("close", () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    mend: () => listen(port),
  }
}
