/** A thread's whole program as a text, which `bundle.ts` makes. */
declare module "sightline:documentThread" {
  const program: string
  export default program
}
declare module "sightline:mediaThread" {
  const program: string
  export default program
}
