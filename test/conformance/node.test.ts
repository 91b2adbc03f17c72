import { checkRuntime } from "./checkRuntime.ts"

checkRuntime("Node")
