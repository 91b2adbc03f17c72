// The smallest program that `deno serve` and `bun` run.
export default { fetch: () => new Response("[]") }
