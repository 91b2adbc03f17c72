import { checkRuntime } from "./checkRuntime.ts"

checkRuntime("Bun")
