import process from "node:process"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { hideUserInfo } from "../../core/common/secret.ts"
import { nearest } from "../../core/common/nearest.ts"
import { configuration } from "./configuration.ts"
import { SERVICE_LINK } from "./values.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** Names that Kubernetes gives to every container beside a Service whose name starts with "sightline". */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/

/** Names of variables that may hold a secret: keys, and addresses with a password. */
const MAY_BE_SECRET = /KEY|SECRET|TOKEN|_URL$/
const PUBLIC: ReadonlySet<string> = new Set(["SIGHTLINE_BASE_URL", "AWS_ACCESS_KEY_ID"])

/** The variables that `configuration` reads. */
const readNames = Effect.gen(function* () {
  const names = new Set<string>()
  const recorder = ConfigProvider.make((path) => Effect.sync(() => void names.add(path.join("_"))))
  yield* Effect.ignore(Effect.provideService(configuration, ConfigProvider.ConfigProvider, recorder))
  return [...names]
})

/** Which settings the environment has, with the values that hold no secret, and what is wrong with their names. */
export const inspectEnvironment = Effect.fnUntraced(function* (variables: Variables = process.env) {
  const names = yield* readNames
  const isSet = (name: string) => variables[name] !== undefined && variables[name].trim() !== ""
  const set = names
    .filter(isSet)
    .map((name) =>
      MAY_BE_SECRET.test(name) && !PUBLIC.has(name)
        ? `${name} (value not shown)`
        : `${name}=${hideUserInfo(variables[name] ?? "")}`,
    )
  const unknown = Object.keys(variables)
    .filter((name) => /^SIGHTLINE_/i.test(name) && isSet(name))
    .filter((name) => !names.includes(name) && !OF_KUBERNETES.test(name))
    .map((name) => {
      const [best] = nearest(name, names)
      return `${name} is not a setting and has no effect${best === undefined ? "" : `. Did you mean ${best}?`}`
    })
  const overridden = ["HOST", "PORT"]
    .filter((name) => isSet(name) && isSet(`SIGHTLINE_${name}`))
    .filter(
      (name) =>
        variables[name] !== variables[`SIGHTLINE_${name}`] && !SERVICE_LINK.test(variables[`SIGHTLINE_${name}`]!),
    )
    .map(
      (name) => `${name}=${variables[name]} has no effect: SIGHTLINE_${name}=${variables[`SIGHTLINE_${name}`]} is set`,
    )
  return { set, problems: [...unknown, ...overridden] }
})
