import { opened } from "../../../sightline"

const handle = async (request: Request) => {
  // Next compresses replies itself. `next dev` 16.4.6 also drops the `Content-Encoding` of those that are compressed already.
  request.headers.delete("accept-encoding")
  return (await opened()).handler(request)
}
export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
