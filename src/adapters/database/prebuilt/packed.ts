/**
 * The data directory of a new database, as `packDirectory` writes it, in base64. Undefined in the repository, where a new database
 * migrates; `build/newDirectory.ts` fills it for the package and the binary. One module, so that every runtime and bundler finds it.
 */
export const packedDirectory: string | undefined = undefined
