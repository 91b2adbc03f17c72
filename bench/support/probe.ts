/**
 * A process that requests a URL with a key at a steady pace. On `stop` it reports the milliseconds of each answer, from when the request was
 * due. It omits the answers before `warm`, which include its own start.
 */
const [url = "", key = ""] = process.argv.slice(2)
const PACE = 50
const WARM_UP = 20

const latencies: Array<number> = []
let answered = 0
const open = new Set<Promise<void>>()
let due = performance.now()

const ask = async (at: number) => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`answered ${response.status}`)
  if (++answered > WARM_UP) latencies.push(performance.now() - at)
  else if (answered === WARM_UP) process.send!("warm")
}

const timer = setInterval(() => {
  for (; due <= performance.now(); due += PACE) {
    const asked = ask(due)
    open.add(asked)
    void asked.finally(() => open.delete(asked))
  }
}, 5)

process.once("message", async () => {
  clearInterval(timer)
  await Promise.all(open)
  process.send!(latencies)
  process.disconnect()
})
