import { openOnce, Organizations } from "sightline"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

/** In place of your own sessions: one user. */
const user = { organization: "acme", role: "owner", identity: { id: "ada", name: "Ada" } } as const

const open = async () => {
  const sightline = await openOnce("next", {
    database: layerPglite({ directory: ".sightline" }),
    library: layerLibrary(),
    // The route app/intel/[...path]. Next hides the host that a browser asked, so links in answers need the address.
    publicUrl: `${process.env["APP_URL"] ?? "http://localhost:3000"}/intel`,
    basePath: "/intel",
    principal: () => user,
  })
  await sightline.run(
    Organizations.use(({ ensure }) => ensure({ id: user.organization, name: "Acme", plan: "growth" })),
  )
  return sightline
}

let opening: ReturnType<typeof open> | undefined

/** The first request opens it, because `next build` loads this module too. `next dev` evaluates it again after an edit. */
export const opened = () =>
  (opening ??= open().catch((error: unknown) => {
    opening = undefined
    throw error
  }))
