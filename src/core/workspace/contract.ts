import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../access/Idempotency.ts"
import { importRecords } from "../import/contract.ts"
import { getImport, undoImport } from "../import/undo/contract.ts"
import { CATALOGUE_ENDPOINTS } from "./catalogue/contract.ts"

export const WorkspaceGroup = HttpApiGroup.make("workspace")
  .add(importRecords.middleware(Idempotency), getImport, undoImport, ...CATALOGUE_ENDPOINTS)
  .annotate(OpenApi.Description, "The workspace's settings and names, and the import of records")
