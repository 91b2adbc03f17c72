import { opened } from "../../../../sightline"

const handle = async (request: Request) => (await opened()).handler(request)
export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
