import { useSignal } from "@preact/signals"
import type { Input, Output } from "../../client/client.ts"
import { client, queries } from "../common/api.ts"
import { ConfirmButton, Field, Refusal, Secret, textsOf } from "../common/controls.tsx"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { useQuery } from "../common/useQuery.ts"
import { Deliveries } from "./deliveries.tsx"

type EventType = NonNullable<Input<"webhooks", "create">["event_types"]>[number]

/** The contract has the list with its schemas, which a browser need not load. A missing event does not compile. */
const EVENTS = {
  "deal.created": true,
  "deal.updated": true,
  "deal.deleted": true,
  "deal.analyzed": true,
  "deal.verified": true,
  "document.created": true,
  "document.updated": true,
  "document.ready": true,
  "document.failed": true,
  "document.deleted": true,
  "association.created": true,
  "association.updated": true,
  "association.deleted": true,
  "export.completed": true,
  "export.failed": true,
} as const satisfies Record<EventType, true>

const EVENT_TYPES = Object.keys(EVENTS) as ReadonlyArray<EventType>

type Webhook = Output<"webhooks", "list">["data"][number]

const reload = () => queries.invalidateQueries({ queryKey: ["webhooks"] })

/** Addresses that receive changes, each with its deliveries. */
export const Webhooks = () => {
  const query = useQuery(["webhooks"], (signal) => client.webhooks.list(undefined, { signal }))
  const made = useSignal<{ readonly url: string; readonly secret: string } | undefined>(undefined)
  const { act, isBusy, refusal } = useAct()
  const show = async (created: { readonly url: string; readonly secret: string }) => {
    made.value = created
    await reload()
  }
  return (
    <>
      <section class="card">
        <h2>{t("webhooks.new")}</h2>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            const { url = "", description } = textsOf(form)
            const chosen = new FormData(form).getAll("event")
            const event_types = EVENT_TYPES.filter((type) => chosen.includes(type))
            void act(async () => {
              await show(
                await client.webhooks.create({
                  url,
                  ...(description !== undefined && { description }),
                  ...(event_types.length > 0 && { event_types }),
                }),
              )
              form.reset()
            })
          }}
        >
          <Field label={t("webhooks.url")}>
            <input name="url" type="url" required maxLength={2000} placeholder="https://" />
          </Field>
          <Field label={t("webhooks.description")}>
            <input name="description" maxLength={400} />
          </Field>
          <details class="whole">
            <summary>{t("webhooks.events")}</summary>
            <ul class="choices columns">
              {EVENT_TYPES.map((type) => (
                <li key={type}>
                  <label>
                    <input type="checkbox" name="event" value={type} />
                    <span>{type}</span>
                  </label>
                </li>
              ))}
            </ul>
          </details>
          <button class="primary" disabled={isBusy}>
            {t("create")}
          </button>
        </form>
        <Refusal text={refusal} />
        {made.value !== undefined && (
          <Secret name={made.value.url} value={made.value.secret} onDone={() => (made.value = undefined)} />
        )}
      </section>
      <section class="card">
        <h2>{t("settings.webhooks")}</h2>
        <Loaded query={query} lines={3}>
          {({ data }) =>
            data.length === 0 ? (
              <Notice title={t("webhooks.none")}>
                <p>{t("webhooks.hint")}</p>
              </Notice>
            ) : (
              <ul class="blocks">
                {data.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} onSecret={show} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </>
  )
}

const WebhookRow = ({
  webhook,
  onSecret,
}: {
  readonly webhook: Webhook
  readonly onSecret: (made: { readonly url: string; readonly secret: string }) => Promise<void>
}) => {
  const { id, url, description, status, notice, event_types } = webhook
  const isOpen = useSignal(false)
  const { act, isBusy, refusal } = useAct()
  const change = (run: () => Promise<unknown>) =>
    void act(async () => {
      await run()
      await reload()
    })
  return (
    <li class="block">
      <p class="block-head">
        <strong>{url}</strong>
        <span class={`badge ${status === "enabled" ? "won" : status === "paused" ? "open" : "lost"}`}>
          {t(`webhookStatus.${status}`)}
        </span>
      </p>
      {description !== null && <p>{description}</p>}
      <p class="soft small">{event_types.join(", ")}</p>
      {notice !== null && <p class="refusal">{notice}</p>}
      <p class="acts">
        <button
          type="button"
          disabled={isBusy}
          onClick={() =>
            change(() => client.webhooks.update({ id, status: status === "enabled" ? "paused" : "enabled" }))
          }
        >
          {t(status === "enabled" ? "webhooks.pause" : "webhooks.enable")}
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() =>
            void act(async () => {
              await client.webhooks.test({ id })
              isOpen.value = true
              await queries.invalidateQueries({ queryKey: ["deliveries", id] })
            })
          }
        >
          {t("webhooks.test")}
        </button>
        <button type="button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {t("webhooks.deliveries")}
        </button>
        <ConfirmButton
          disabled={isBusy}
          question={t("webhooks.rotateAsk")}
          onConfirm={() => void act(async () => onSecret(await client.webhooks.rotate({ id })))}
        >
          {t("rotate")}
        </ConfirmButton>
        <ConfirmButton
          disabled={isBusy}
          question={t("webhooks.deleteAsk")}
          onConfirm={() => change(() => client.webhooks.delete({ id }))}
        >
          {t("delete")}
        </ConfirmButton>
      </p>
      <Refusal text={refusal} />
      {isOpen.value && <Deliveries id={id} />}
    </li>
  )
}
