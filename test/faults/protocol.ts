/** The setup of a worker: see `worker.ts`. */
export interface Setup {
  /** Undefined for PGlite in the directory. */
  readonly databaseUrl?: string | undefined
  readonly directory: string
  readonly org: string
  /** The port of a webhook's endpoint on this machine. */
  readonly port?: number | undefined
  /** Milliseconds per chunk of a blob. */
  readonly slow: number
  /** Ends the leases of all running jobs at the start: the processes that hold them are dead. */
  readonly endsLeases?: boolean
}

export type Command =
  | { readonly do: "import"; readonly records: ReadonlyArray<object> }
  | { readonly do: "add"; readonly text: string }
  | { readonly do: "export"; readonly columns: ReadonlyArray<string> }
  | { readonly do: "webhook"; readonly url: string }
  | { readonly do: "digest"; readonly id: string }
  | { readonly do: "state" }
  /** Lets no chunk of a blob through until `release`. */
  | { readonly do: "hold" }
  | { readonly do: "release" }

/** The state of an organization's work in the database. */
export interface State {
  readonly jobs: ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly subject: string
    readonly state: string
    readonly attempts: number
    readonly error: string | null
  }>
  readonly documents: ReadonlyArray<{
    readonly id: string
    readonly status: string
    readonly chunks: number
    /** True if each chunk equals the text at its offsets. */
    readonly whole: boolean
  }>
  readonly deliveries: ReadonlyArray<{
    readonly id: string
    readonly subject: string
    readonly event: string
    readonly state: string
    readonly attempts: number
  }>
}

/** Signs for every process that shares a database: workers, servers and the command line. */
export const SIGNING_SECRET = "one secret for every process of these tests"
