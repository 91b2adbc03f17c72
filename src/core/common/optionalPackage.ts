/** Packages that a host installs for what it uses, at the version that the tests run: `optional` in package.json's `peerDependenciesMeta`. */
export const OPTIONAL_PACKAGES = {
  "@electric-sql/pglite": { version: "0.5.14", use: "The embedded database" },
  "@napi-rs/canvas": { version: "1.0.11", use: "Drawing pages of PDF files" },
  mammoth: { version: "1.13.0", use: "Reading Word documents" },
  mediabunny: { version: "1.61.0", use: "Reading recordings" },
  "pdfjs-dist": { version: "6.5.438", use: "Reading PDF files" },
  redis: { version: "6.3.1", use: "Counting limits in Redis" },
} as const

export type OptionalPackage = keyof typeof OPTIONAL_PACKAGES

/** An optional package is not installed. The message says how to install it. */
export class PackageMissing extends Error {
  readonly _tag = "PackageMissing"
  override readonly name = "PackageMissing"

  constructor(missing: OptionalPackage, cause: unknown) {
    const { version, use } = OPTIONAL_PACKAGES[missing]
    super(
      `${use} needs the package ${missing}: run \`npm install ${missing}@${version}\` where Sightline is installed`,
      {
        cause,
      },
    )
  }
}

/** Imports by `load`. Rejects with `PackageMissing` if `name` is not installed. */
export const importPackage = async <A>(name: OptionalPackage, load: () => Promise<A>): Promise<A> => {
  try {
    return await load()
  } catch (cause) {
    throw isNotFound(cause) && String(cause).includes(name) ? new PackageMissing(name, cause) : cause
  }
}

const isNotFound = (cause: unknown) =>
  cause instanceof Error &&
  "code" in cause &&
  (cause.code === "ERR_MODULE_NOT_FOUND" || cause.code === "MODULE_NOT_FOUND")
