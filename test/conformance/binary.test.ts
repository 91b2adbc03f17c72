import { checkRuntime } from "./checkRuntime.ts"

checkRuntime("binary")
