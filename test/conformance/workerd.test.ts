import { checkRuntime } from "./checkRuntime.ts"

checkRuntime("workerd")
