import { readFileSync } from "node:fs"
import * as Yaml from "effect/encoding/Yaml"

export const textOf = (file: string) => readFileSync(file, "utf8")
export const COMPOSE = Yaml.parse(textOf("docs/deploy/compose.yaml")) as any
export const UNIT = textOf("docs/deploy/sightline.service")
export const MANIFEST = textOf("docs/deploy/kubernetes.yaml")
  .split(/^---$/m)
  .map((document) => Yaml.parse(document) as any)

/** The instructions of the Dockerfile: [name, arguments]. */
export const DOCKERFILE = textOf("Dockerfile")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const)

export const argumentsOf = (name: string) => DOCKERFILE.filter(([each]) => each === name).map(([, rest]) => rest)

const pairsOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]))

export const CONTAINER = MANIFEST.find(({ kind }) => kind === "Deployment").spec.template.spec.containers[0]

/** The variables that each file sets. */
export const ENVIRONMENTS: Record<string, Record<string, string | undefined>> = {
  Dockerfile: Object.assign({}, ...argumentsOf("ENV").map(pairsOf)),
  "compose.yaml": COMPOSE.services.sightline.environment,
  "sightline.service": Object.assign(
    {},
    ...[...UNIT.matchAll(/^Environment=(.*)$/gm)].map(([, text]) => pairsOf(text!)),
  ),
  "kubernetes.yaml": Object.fromEntries(CONTAINER.env.map(({ name, value }: any) => [name, value])),
}
