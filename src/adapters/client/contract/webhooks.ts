// `npm run client` writes this file from the contract.

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly event_types: ReadonlyArray<
    | "deal.created"
    | "deal.updated"
    | "deal.deleted"
    | "deal.analyzed"
    | "deal.verified"
    | "document.created"
    | "document.updated"
    | "document.ready"
    | "document.failed"
    | "document.deleted"
    | "association.created"
    | "association.updated"
    | "association.deleted"
    | "export.completed"
    | "export.failed"
  >
  /** Paused: nothing is sent, and changes wait. Disabled: its address replied 410. */
  readonly status: "enabled" | "paused" | "disabled"
  /** Why it is no longer enabled, and what to do. */
  readonly notice: string | null
  /** Every attempt since then failed. Null: the last one succeeded. */
  readonly failing_since: string | null
  readonly created_at: string
  readonly updated_at: string
  /** The key that created it. Null: the operator. */
  readonly created_by: string | null
  /** The webhook stops then, because the key that last changed it expires. Null: it does not expire. */
  readonly expires_at: string | null
}

export interface WebhookList {
  readonly data: ReadonlyArray<Webhook>
}

export interface WebhooksCreateInput {
  /** An http or https address on the public internet, port 80 or 443, or a host and port in SIGHTLINE_WEBHOOK_HOSTS. Redirects are not followed. */
  readonly url: string
  /** By default, all events of things that the key can read. */
  readonly event_types?: ReadonlyArray<
    | "deal.created"
    | "deal.updated"
    | "deal.deleted"
    | "deal.analyzed"
    | "deal.verified"
    | "document.created"
    | "document.updated"
    | "document.ready"
    | "document.failed"
    | "document.deleted"
    | "association.created"
    | "association.updated"
    | "association.deleted"
    | "export.completed"
    | "export.failed"
  >
  readonly description?: string | null
}

export interface CreatedWebhook {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly event_types: ReadonlyArray<
    | "deal.created"
    | "deal.updated"
    | "deal.deleted"
    | "deal.analyzed"
    | "deal.verified"
    | "document.created"
    | "document.updated"
    | "document.ready"
    | "document.failed"
    | "document.deleted"
    | "association.created"
    | "association.updated"
    | "association.deleted"
    | "export.completed"
    | "export.failed"
  >
  /** Paused: nothing is sent, and changes wait. Disabled: its address replied 410. */
  readonly status: "enabled" | "paused" | "disabled"
  /** Why it is no longer enabled, and what to do. */
  readonly notice: string | null
  /** Every attempt since then failed. Null: the last one succeeded. */
  readonly failing_since: string | null
  readonly created_at: string
  readonly updated_at: string
  /** The key that created it. Null: the operator. */
  readonly created_by: string | null
  /** The webhook stops then, because the key that last changed it expires. Null: it does not expire. */
  readonly expires_at: string | null
  /** Verifies deliveries. It appears only in this reply. */
  readonly secret: string
}

export interface WebhooksUpdateInput {
  readonly id: string
  /** An http or https address on the public internet, port 80 or 443, or a host and port in SIGHTLINE_WEBHOOK_HOSTS. Redirects are not followed. */
  readonly url?: string
  readonly event_types?: ReadonlyArray<
    | "deal.created"
    | "deal.updated"
    | "deal.deleted"
    | "deal.analyzed"
    | "deal.verified"
    | "document.created"
    | "document.updated"
    | "document.ready"
    | "document.failed"
    | "document.deleted"
    | "association.created"
    | "association.updated"
    | "association.deleted"
    | "export.completed"
    | "export.failed"
  >
  readonly description?: string | null
  /** Enabled: waiting events are sent, beginning at once. */
  readonly status?: "enabled" | "paused"
}

export interface WebhooksDeliveriesInput {
  readonly id: string
  /** Only deliveries with this status. */
  readonly status?: "pending" | "delivered" | "failed" | undefined
  /** Deliveries per page; 50 by default. */
  readonly page_size?: number | undefined
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined
}

export interface WebhookDelivery {
  /** The `webhook-id` of every attempt. */
  readonly id: string
  readonly event_type: string
  readonly status: "pending" | "delivered" | "failed"
  readonly attempts: number
  /** The status of the address's last reply. */
  readonly response_status: number | null
  /** Why the last attempt failed. */
  readonly error: string | null
  /** The body of the delivery. */
  readonly payload: unknown
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly ended_at: string | null
}

export interface WebhookDeliveryPage {
  readonly data: ReadonlyArray<WebhookDelivery>
  readonly next_cursor: string | null
}

export interface WebhooksReplayInput {
  readonly id: string
  /** this one */
  readonly delivery_id?: string
  /** or all that came into being from then on */
  readonly from?: string
  /** Until then; now by default. */
  readonly to?: string
}

export interface WebhookReplayResult {
  readonly replayed: number
}

export interface WebhooksEndpoints {
  /** List webhooks. */
  readonly list: { readonly input: {}; readonly output: WebhookList }
  /** Create a webhook. */
  readonly create: { readonly input: WebhooksCreateInput; readonly output: CreatedWebhook }
  /** Read a webhook. */
  readonly get: { readonly input: { readonly id: string }; readonly output: Webhook }
  /** Change, pause or enable a webhook. */
  readonly update: { readonly input: WebhooksUpdateInput; readonly output: Webhook }
  /** Delete a webhook and its deliveries. */
  readonly delete: { readonly input: { readonly id: string }; readonly output: void }
  /** Rotate a webhook's secret. */
  readonly rotate: {
    readonly input: {
      readonly id: string
      /** How long the old secret still signs as well; 86400 by default. */
      readonly grace_seconds?: number
    }
    readonly output: CreatedWebhook
  }
  /** List deliveries, newest first. */
  readonly deliveries: { readonly input: WebhooksDeliveriesInput; readonly output: WebhookDeliveryPage }
  /** Send again. */
  readonly replay: { readonly input: WebhooksReplayInput; readonly output: WebhookReplayResult }
  /** Send a `ping`. */
  readonly test: { readonly input: { readonly id: string }; readonly output: WebhookDelivery }
}
