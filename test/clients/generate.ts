import { registerHooks } from "node:module"
import { join } from "node:path"
import { writeFileSync } from "node:fs"

// `node generate.ts DESCRIPTION DIRECTORY` makes both clients. They write code with TypeScript's JavaScript API, which version 7 does not
// have: they get the one that @ts-morph/common brings along.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "typescript" ? "@ts-morph/common/dist/typescript.js" : specifier, context),
})

const [description, directory] = process.argv.slice(2) as [string, string]

const { default: openapiTS, astToString } = await import("openapi-typescript")
const types = await openapiTS(new URL(`file://${description}`))
writeFileSync(join(directory, "schema.ts"), astToString(types))

const { createClient } = await import("@hey-api/openapi-ts")
await createClient({ input: description, output: join(directory, "hey"), logs: { level: "silent" } })
