import { checkRuntime } from "./checkRuntime.ts"

checkRuntime("bundled Node host")
