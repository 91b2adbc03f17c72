import { createClient } from "sightline/client"

/** Without a key: the browser sends the session's cookie, and `principal` knows the user. */
export const client = createClient({ baseUrl: "/intel" })
