import { installPackages } from "../build/installPackages.ts"

const BENCHES: Record<string, () => Promise<{ readonly main: (args: ReadonlyArray<string>) => Promise<void> }>> = {
  analysis: () => import("./analysis.ts"),
  answers: () => import("./answers.ts"),
  citus: () => import("./citus.ts"),
  console: () => import("./console.ts"),
  deals: () => import("./deals.ts"),
  docs: () => import("./docs.ts"),
  estimates: () => import("./estimates.ts"),
  export: () => import("./export.ts"),
  fairness: () => import("./fairness.ts"),
  "first-start": () => import("./scenarios/firstStart.ts"),
  import: () => import("./import.ts"),
  ingest: () => import("./ingest.ts"),
  ocr: () => import("./scenarios/ocr.ts"),
  questions: () => import("./questions.ts"),
  reports: () => import("./reports.ts"),
  start: () => import("./start.ts"),
  tables: () => import("./scenarios/tables.ts"),
  types: () => import("./types.ts"),
  workspace: () => import("./workspace.ts"),
}

const [name = "", ...args] = process.argv.slice(2)
const load = BENCHES[name]
if (load === undefined) {
  console.error(`usage: npm run bench -- <${Object.keys(BENCHES).join(" | ")}> [--quick]`)
  process.exit(2)
}
// The alternatives beside which Sightline is measured.
await installPackages("bench")
await (await load()).main(args)
process.exit(0)
