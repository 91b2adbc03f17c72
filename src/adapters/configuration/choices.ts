import type * as Redacted from "effect/Redacted"
import type { Prices } from "../../core/ports/Analyst.ts"
import type { PostgresOptions } from "../database/options.ts"
import type { S3Options } from "../libraryOptions.ts"

export type DatabaseChoice =
  | ({ readonly kind: "postgres" } & Omit<PostgresOptions, "scope" | "url" | "migrationUrl"> & {
        readonly url: Redacted.Redacted
        readonly migrationUrl?: Redacted.Redacted | undefined
      })
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

export type OcrChoice =
  | ({ readonly kind: "openai" } & ModelChoice)
  /** tesseract on this machine, if installed; by default with the installed languages. */
  | { readonly kind: "local"; readonly languages: ReadonlyArray<string> | undefined }
  | { readonly kind: "off" }

/** A model and its endpoint. */
export interface ModelChoice {
  readonly url: string
  readonly model: string
  readonly key: Redacted.Redacted | undefined
}

/** A language model. */
export interface LanguageModelChoice extends ModelChoice {
  readonly prices: Prices | undefined
}

/** The options of a chosen part. */
export const withoutKind = <Choice extends { readonly kind: string }>({ kind: _, ...options }: Choice) => options
