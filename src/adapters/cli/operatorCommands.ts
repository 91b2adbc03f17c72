import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { ROLE_NAMES } from "../../core/access/permissions.ts"
import { json, lazily, organization, toggle } from "./flags.ts"

const organizationId = Argument.String("id").pipe(Argument.withDescription("The organization's id, org_… or your own"))
const plan = Flag.String("plan").pipe(
  Flag.withDescription(
    "Its limits: essentials, growth or enterprise (10, 60 or 300 requests per minute), or a plan of SIGHTLINE_PLANS",
  ),
)

export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Manage organizations, the tenants of this service"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        name: Flag.String("name").pipe(Flag.withDescription("The organization's name")),
        id: Flag.String("id").pipe(
          Flag.withDescription("Your own id for it, of 1 to 64 characters; by default one is generated"),
          Flag.optional,
        ),
        plan: plan.pipe(Flag.withDefault("growth")),
        json,
      },
      lazily(async () => (await import("./operator/orgs.ts")).create),
    ).pipe(Command.withDescription("Create an organization")),
    Command.make(
      "list",
      { json },
      lazily(async () => (await import("./operator/orgs.ts")).list),
    ).pipe(Command.withDescription("List the organizations")),
    Command.make(
      "change",
      {
        id: organizationId,
        plan: plan.pipe(Flag.optional),
        name: Flag.String("name").pipe(Flag.withDescription("The organization's name"), Flag.optional),
        json,
      },
      lazily(async () => (await import("./operator/orgs.ts")).change),
    ).pipe(Command.withDescription("Change an organization's plan or name")),
    Command.make(
      "erase",
      {
        id: organizationId,
        yes: toggle("yes", "Confirm: this cannot be undone"),
        json,
      },
      lazily(async () => (await import("./operator/orgs.ts")).erase),
    ).pipe(Command.withDescription("Erase an organization: its rows, files, keys and jobs")),
    Command.make(
      "audit",
      {
        organization: Flag.String("org").pipe(
          Flag.withDescription("Only the erasure of the organization that had this id"),
          Flag.optional,
        ),
        action: Flag.Literals("action", ["organization.erased", "operator.refused", "console.refused"]).pipe(
          Flag.withDescription("Only entries of this action"),
          Flag.optional,
        ),
        json,
      },
      lazily(async () => (await import("./operator/orgs.ts")).audit),
    ).pipe(Command.withDescription("List who erased organizations, and refused sign-ins, the newest first")),
  ]),
)

const keyId = Argument.String("id").pipe(Argument.withDescription("The key's id, key_…"))

export const keys = Command.make("keys").pipe(
  Command.withDescription("Manage an organization's API keys"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        organization,
        role: Flag.Literals("role", ROLE_NAMES).pipe(
          Flag.withDescription("The key's role"),
          Flag.withDefault("member"),
        ),
        name: Flag.String("name").pipe(Flag.withDescription("The purpose of the key"), Flag.withDefault("cli")),
        test: toggle("test", "Create a test key: its secret begins with sl_test_"),
        permissions: Flag.String("permissions").pipe(
          Flag.withDescription("Fewer permissions than the role has, comma-separated: deals.read,deals.export"),
          Flag.optional,
        ),
        perMinute: Flag.Int("per-minute").pipe(
          Flag.withDescription("The key's own limit; by default a third of the plan's"),
          Flag.optional,
        ),
        expires: Flag.String("expires").pipe(
          Flag.withDescription("When the key expires: 2027-01-31 or 2027-01-31T12:00:00Z"),
          Flag.optional,
        ),
        json,
      },
      lazily(async () => (await import("./operator/keys.ts")).create),
    ).pipe(Command.withDescription("Create a key and print its secret, once")),
    Command.make(
      "list",
      { organization, json },
      lazily(async () => (await import("./operator/keys.ts")).list),
    ).pipe(Command.withDescription("List the keys, without their secrets")),
    Command.make(
      "rotate",
      {
        id: keyId,
        organization,
        grace: Flag.Int("grace").pipe(
          Flag.withDescription("How many seconds the old secret still works"),
          Flag.withDefault(86_400),
        ),
        json,
      },
      lazily(async () => (await import("./operator/keys.ts")).rotate),
    ).pipe(Command.withDescription("Give a key a new secret")),
    Command.make(
      "revoke",
      { id: keyId, organization, json },
      lazily(async () => (await import("./operator/keys.ts")).revoke),
    ).pipe(Command.withDescription("Revoke a key; it stops everywhere within 5 seconds")),
  ]),
)

export const clients = Command.make("clients").pipe(
  Command.withDescription("Manage applications that people connect to /mcp by signing in"),
  Command.withSubcommands([
    Command.make(
      "add",
      {
        name: Flag.String("name").pipe(Flag.withDescription("The name that the consent page shows")),
        redirect: Flag.String("redirect").pipe(
          Flag.withDescription("The address that the application returns to; comma-separated if it has several"),
        ),
        json,
      },
      lazily(async () => (await import("./operator/clients.ts")).add),
    ).pipe(Command.withDescription("Register an application and print its client id")),
    Command.make(
      "list",
      { json },
      lazily(async () => (await import("./operator/clients.ts")).list),
    ).pipe(Command.withDescription("List the applications that were registered here")),
    Command.make(
      "remove",
      { id: Argument.String("id").pipe(Argument.withDescription("The client id")), json },
      lazily(async () => (await import("./operator/clients.ts")).remove),
    ).pipe(Command.withDescription("Remove an application; grants that it has stay until they are revoked")),
  ]),
)

export const signingSecret = Command.make("signing-secret").pipe(
  Command.withDescription("The secret that signs links and encrypts webhook secrets"),
  Command.withSubcommands([
    Command.make(
      "replace",
      { json },
      lazily(async () => (await import("./operator/database.ts")).replaceSigningSecret),
    ).pipe(
      Command.withDescription(
        "Accept a new secret at the next start if the old one is lost: links stop, webhooks wait",
      ),
    ),
  ]),
)
