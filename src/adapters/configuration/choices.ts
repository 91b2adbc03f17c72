import type * as Redacted from "effect/Redacted"
import type { S3Options } from "../blobs/s3.ts"
import type { PostgresOptions } from "../database/postgres.ts"

export type DatabaseChoice =
  | ({ readonly kind: "postgres" } & Omit<PostgresOptions, "scope">)
  /** Embedded, stored in this directory. */
  | { readonly kind: "directory"; readonly directory: string }
  /** Embedded, in memory only. */
  | { readonly kind: "memory" }

export type BlobsChoice =
  | { readonly kind: "files"; readonly directory: string }
  | { readonly kind: "database" }
  | ({ readonly kind: "s3" } & S3Options)

export type TranscriptionChoice =
  | {
      readonly kind: "openai"
      readonly url: string
      readonly model: string
      readonly key: Redacted.Redacted | undefined
      readonly maxBytes: number | undefined
    }
  /** The speech engine of this machine, if installed. */
  | { readonly kind: "local" }
  | { readonly kind: "off" }

/** A model and its endpoint. */
export interface ModelChoice {
  readonly url: string
  readonly model: string
  readonly key: Redacted.Redacted | undefined
}
