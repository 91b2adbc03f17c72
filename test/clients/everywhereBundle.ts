import { join } from "node:path"
import { rolldown } from "rolldown"

const PROGRAM = join(import.meta.dirname, "everywhere.ts")

/** `everywhere.ts` as one module, as a host's bundler would make it. */
export const bundleEverywhere = async () => {
  const built = await rolldown({ input: PROGRAM, platform: "browser" })
  const { output } = await built.generate({ format: "esm" })
  await built.close()
  return output[0].code
}

/** The report of the program if the client works. */
export const SEEN = {
  names: 7,
  progress: 1,
  status: "ready",
  isSame: true,
  isWhole: true,
  csv: "id\r\nd2\r\n",
  created: 1,
  error: "not_found string",
}
