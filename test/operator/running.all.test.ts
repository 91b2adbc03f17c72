import { testBesideServer } from "./besideServer.ts"

testBesideServer("Bun")
testBesideServer("Deno")
