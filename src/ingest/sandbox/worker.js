// JavaScript, so that its URL is the same in the source and in the package, as bundlers need it.
import { DRAWERS, READERS } from "../readers.ts"
import { serve } from "./workerProtocol.ts"

serve(READERS, DRAWERS)
