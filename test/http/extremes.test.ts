import { engines } from "../support/engines.ts"
import { sendExtremes } from "./sendExtremes.ts"

sendExtremes(engines[0], 400)
