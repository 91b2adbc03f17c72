/** Calls the host's own server. Rejects with its message. */
export const read = async (path: string, body?: object) => {
  const reply = await fetch(`/app/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return text === "" ? {} : JSON.parse(text)
}
