// PGlite loads files beside its own modules, so it stays outside of the bundle.
export default { output: "standalone", serverExternalPackages: ["@electric-sql/pglite"] }
