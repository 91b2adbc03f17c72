import { connect, type Socket } from "node:net"

/** One request as bytes, and the expected reply. */
export interface Shot {
  readonly request: string
  readonly status: number
  /** Omitted: any length. */
  readonly bytes?: number | undefined
}

export interface Job {
  readonly port: number
  readonly shots: ReadonlyArray<Shot>
  readonly requests: number
  readonly concurrency: number
}

export interface Result {
  readonly seconds: number
  readonly p50: number
  readonly p99: number
}

/**
 * Sends `requests` over kept-alive connections, `concurrency` at a time, cycling through `shots`. Reads only the status line and the
 * length of a reply: a complete client would use more CPU than the servers that it measures.
 */
export const fire = async ({ port, shots, requests, concurrency }: Job): Promise<Result> => {
  const latencies: Array<number> = []
  let next = 0
  const started = performance.now()
  const lane = async () => {
    const socket = await open(port)
    for (let index = next++; index < requests; index = next++) {
      const shot = shots[index % shots.length]!
      const sent = performance.now()
      const reply = await exchange(socket, shot.request)
      latencies.push(performance.now() - sent)
      if (reply.status !== shot.status || (shot.bytes !== undefined && shot.bytes !== reply.bytes)) {
        throw new Error(
          `port ${port} answered ${reply.status} with ${reply.bytes} bytes, not ${shot.status} with ${shot.bytes}: ${shot.request.split("\r\n")[0]}\n${reply.head}`,
        )
      }
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  const seconds = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0
  return { seconds, p50: quantile(0.5), p99: quantile(0.99) }
}

const open = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

const exchange = (socket: Socket, request: string) =>
  new Promise<{ readonly status: number; readonly bytes: number; readonly head: string }>((resolve, reject) => {
    let head: string | undefined
    let early: Buffer = Buffer.alloc(0)
    let received = 0
    let length = 0
    const end = (error?: Error) => {
      socket.off("data", onData)
      socket.off("close", onClose)
      if (error) return reject(error)
      resolve({ status: Number(head!.slice(9, 12)), bytes: length, head: head! })
    }
    const onClose = () => end(new Error("the server closed the connection"))
    const onData = (chunk: Buffer) => {
      if (head === undefined) {
        early = early.length === 0 ? chunk : Buffer.concat([early, chunk])
        const at = early.indexOf("\r\n\r\n")
        if (at < 0) return
        head = early.toString("latin1", 0, at)
        const declared = head.startsWith("HTTP/1.1 304 ") ? ["", "0"] : /\r\ncontent-length: *(\d+)/i.exec(head)
        if (declared === null) return end(new Error(`a reply without Content-Length:\n${head}`))
        length = Number(declared[1])
        received = early.length - at - 4
      } else {
        received += chunk.length
      }
      if (received >= length) end()
    }
    socket.on("data", onData)
    socket.on("close", onClose)
    socket.write(request)
  })

// As a process of its own, it takes jobs from its parent, one at a time.
if (process.send !== undefined && process.env.BENCH_CLIENT === "1") {
  process.on("message", (job: Job) => {
    fire(job).then(
      (result) => process.send!({ result }),
      (error: unknown) => process.send!({ error: String(error) }),
    )
  })
}
