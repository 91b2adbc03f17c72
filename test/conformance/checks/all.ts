import type { Check } from "../Check.ts"
import { analysis, analysisOfTenants } from "./analysis.ts"
import { answers, answersFromDocuments, answersOfTenants } from "./answers.ts"
import { authentication, keysAndRoles, olderKeys, organizations } from "./authentication.ts"
import { changes } from "./changes.ts"
import { dealChanges, dealChangesOfTenants } from "./dealChanges.ts"
import { dealFilters, olderNames } from "./dealFilters.ts"
import { dealPages } from "./dealPages.ts"
import { dealShapes } from "./dealShapes.ts"
import { dealValues } from "./dealValues.ts"
import { dealUploads, libraryUploads, uploadRoles, uploadsRefused } from "./uploads.ts"
import { documentStates, documentTenants } from "./documents.ts"
import { bodies, errors } from "./errors.ts"
import { exporting, exportRoles } from "./exports.ts"
import { imports } from "./imports.ts"
import { intelligence, intelligenceRows } from "./intelligence.ts"
import { idempotency, idempotencyOfTenants, keys } from "./keys.ts"
import { keyLimits, limits, organizationLimits } from "./limits.ts"
import { mcp } from "./mcp.ts"
import { requests, versioning } from "./requests.ts"
import { webhooks } from "./webhooks.ts"
import { workspace } from "./workspace.ts"

const SECTIONS: ReadonlyArray<ReadonlyArray<Check>> = [
  requests,
  versioning,
  olderKeys,
  authentication,
  keysAndRoles,
  organizations,
  errors,
  bodies,
  limits,
  dealShapes,
  dealValues,
  dealPages,
  dealFilters,
  olderNames,
  exporting,
  exportRoles,
  intelligence,
  intelligenceRows,
  imports,
  dealChanges,
  dealChangesOfTenants,
  changes,
  answers,
  answersFromDocuments,
  answersOfTenants,
  mcp,
  libraryUploads,
  dealUploads,
  uploadRoles,
  uploadsRefused,
  documentStates,
  documentTenants,
  analysis,
  analysisOfTenants,
  keys,
  webhooks,
  workspace,
  idempotency,
  idempotencyOfTenants,
  keyLimits,
  organizationLimits,
]

/** Every check, in the order they run. */
export const CHECKS = SECTIONS.flat()

/** One check of each section: enough to see that every capability works on a host. */
export const FIRST_CHECKS = SECTIONS.flatMap((section) => section.slice(0, 1))
