/**
 * pdf.js's files by name, in base64, for hosts where code may not read files; undefined where packages or
 * `assetsDirectory` hold them. `src/adapters/deploy/bundle.ts` fills it.
 */
export const embeddedAssets: Readonly<Record<string, string>> | undefined = undefined
