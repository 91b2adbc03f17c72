import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"

const ROOT = join(import.meta.dirname, "../..")

/** Compiles a folder that has packages of its own, which `npm run types` leaves out. Rejects with the errors. */
export const compileFolder = async (folder: string): Promise<void> => {
  const tsc = join(ROOT, "node_modules/.bin/tsc")
  await promisify(execFile)(tsc, ["-p", join(ROOT, folder)]).catch((cause: { readonly stdout: string }) => {
    throw new Error(`${folder} does not compile:\n${cause.stdout}`, { cause })
  })
}
