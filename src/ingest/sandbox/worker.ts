import { READERS } from "../readers.ts"
import { serve } from "./workerProtocol.ts"

serve(READERS)
