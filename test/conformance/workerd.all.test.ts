import { beforeAll, it } from "vitest"
import { compileFolder } from "../support/compileFolder.ts"
import { resource } from "../support/resources.ts"
import { checkRuntime } from "./checkRuntime.ts"

beforeAll(() => resource("workerd"))

it("the programs that run workerd compile", () => compileFolder("test/conformance/workerd"))

checkRuntime("workerd")
