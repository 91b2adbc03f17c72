import { checkRuntime } from "./checkRuntime.ts"

checkRuntime("Deno")
