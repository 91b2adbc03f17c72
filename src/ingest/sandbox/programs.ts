/** A program of a thread: reads documents, or cuts recordings. */
export type ThreadName = "document" | "media"

export interface Programs {
  /** The program's file in the package, relative to the module that starts the thread. */
  readonly files: Readonly<Record<ThreadName, string>>
  /** The program's text, compressed by Brotli, in base64. */
  readonly texts: Readonly<Record<ThreadName, () => Promise<string>>>
  /** The optional packages. Not imported: Rollup would have the module in a host's entry, and a chunk that imports an entry waits for its `await`. */
  readonly packages: ReadonlyArray<string>
}

/** For hosts whose bundler leaves the files of threads out; undefined where they are sure to be. `build/programs.ts` fills it. */
export const programs: Programs | undefined = undefined as Programs | undefined
