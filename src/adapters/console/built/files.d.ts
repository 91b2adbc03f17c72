/** `ConsoleFiles` as JSON, compressed with gzip, in base64. `build/console.ts` writes it. */
export declare const packedFiles: string
