// The least that `deno serve` runs.
export default { fetch: () => new Response("[]") }
