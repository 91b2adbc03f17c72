import { basename } from "node:path"
import { getLibFiles, ts } from "@ts-morph/common"

export { ts }

const LIBRARY = "/library-of-typescript"

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  types: [],
}

/**
 * A module with all that it imports, for the pages that are written from types. TypeScript 7 has no JavaScript API, so this uses the one
 * that ts-morph has, with the declarations of the platform in it.
 */
export const programOf = (entry: string): ts.Program => {
  const host = ts.createCompilerHost(OPTIONS)
  const { fileExists, readFile } = host
  const libraries = new Map(getLibFiles().map(({ fileName, text }) => [fileName, text]))
  host.getDefaultLibLocation = () => LIBRARY
  host.fileExists = (path) => (path.startsWith(LIBRARY) ? libraries.has(basename(path)) : fileExists(path))
  host.readFile = (path) => (path.startsWith(LIBRARY) ? libraries.get(basename(path)) : readFile(path))
  const { getSourceFile } = host
  host.getSourceFile = (path, languageVersion, ...more) =>
    path.startsWith(LIBRARY)
      ? ts.createSourceFile(path, libraries.get(basename(path)) ?? "", languageVersion)
      : getSourceFile(path, languageVersion, ...more)
  return ts.createProgram([entry], OPTIONS, host)
}

/** Prints types whole, with the names of aliases. */
export const FORMAT =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope
