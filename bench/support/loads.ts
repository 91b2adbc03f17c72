/** Kinds of load that one organization puts on the others. */
export const LOADS = ["reports", "views", "questions", "import"] as const
export type Load = (typeof LOADS)[number]

export interface Asked {
  readonly status: number
  /** Seconds. */
  readonly retryAfter: number
}

export interface Loading {
  /** Requests that are in flight at all times. */
  readonly inFlight: number
  /** Sends the next request. It fails if `signal` is aborted. */
  readonly next: (signal: AbortSignal) => Promise<Asked>
}

const JSON_TYPE = { "content-type": "application/json" }

/** Figures, each on a page of its own. A page is computed once a minute, so there are more than a round opens. */
const FIGURES = 400
const DIMENSIONS = ["competitor", "region", "owner", "industry"]

/** 84 words a turn, which the workspace does not know: more than 500 in six turns. */
const WORDS_A_TURN = 84
const TURNS = 6

/** A third of a megabyte of bad rows, sent until the load ends. */
const BAD_ROWS = `${Array.from({ length: 10_000 }, (_, n) => `deal_${n},"Deal ${n}",not a number ${n}`).join("\n")}\n`

/** The requests of a load, with the key of the organization that makes it. Views need figures, which their preparation asks for. */
export const startLoad = async (load: Load, port: number, key: string): Promise<Loading> => {
  const authorization = `Bearer ${key}`
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const text = await response.text()
    return { text, status: response.status, retryAfter: Number(response.headers.get("retry-after") ?? 0) }
  }
  const ask = (content: ReadonlyArray<string>, signal?: AbortSignal) =>
    send("/api/v1/responses", {
      method: "POST",
      headers: { ...JSON_TYPE, authorization },
      body: JSON.stringify({ messages: content.map((each) => ({ role: "user", content: each })), stream: false }),
      ...(signal !== undefined && { signal }),
    })
  switch (load) {
    case "reports":
      return {
        inFlight: 10,
        next: (signal) => send(reportPath(++sent), { headers: { authorization }, signal }),
      }
    case "views": {
      const paths: Array<string> = []
      for (let n = 0; paths.length < FIGURES; n++) {
        const question = `win rate by ${DIMENSIONS[n % DIMENSIONS.length]} of deals over ${1000 + n}`
        const { text, status } = await ask([question])
        const found = [...text.matchAll(/\/r\/[\w-]+/g)].map(([path]) => path)
        if (status !== 200 || found.length === 0) throw new Error(`"${question}" has no figure: ${status} ${text}`)
        paths.push(...new Set(found))
      }
      return { inFlight: 10, next: (signal) => send(paths[++sent % paths.length]!, { signal }) }
    }
    case "questions":
      return {
        inFlight: 10,
        next: (signal) =>
          ask(
            Array.from({ length: TURNS }, () => {
              const words = Array.from({ length: WORDS_A_TURN }, () => `word${++sent}`)
              return `how many deals ${words.join(" and about ")}`
            }),
            signal,
          ),
      }
    case "import":
      return {
        inFlight: 1,
        next: (signal) => {
          const rows = new TextEncoder().encode(BAD_ROWS)
          let begun = false
          const body = new ReadableStream<Uint8Array>({
            pull(controller) {
              if (signal.aborted) return controller.close()
              controller.enqueue(begun ? rows.slice() : new TextEncoder().encode("id,name,amount\n"))
              begun = true
            },
          })
          return send("/api/v1/import?type=deal", {
            method: "POST",
            headers: { authorization, "content-type": "text/csv" },
            body,
            ...({ duplex: "half" } as object),
          })
        },
      }
  }
}

let sent = 0

/** Two dimensions that each have several values a deal. Each report differs, so none is cached. */
const reportPath = (n: number) =>
  `/api/v1/deals/report?measures=win_rate,deals,amount&group_by=competitor,driver&limit=100&amount[min]=${n}`
