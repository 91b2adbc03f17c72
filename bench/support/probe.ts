/**
 * Run as a process of its own, with an address and a key: asks for it at a steady pace, whatever else goes on, and says
 * on `stop` how long each answer took from when it was due, in milliseconds. The first ones, until it says `warm`, are
 * its own start.
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
