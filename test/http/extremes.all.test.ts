import { engines } from "../support/engines.ts"
import { sendExtremes } from "./sendExtremes.ts"

for (const engine of engines) sendExtremes(engine)
