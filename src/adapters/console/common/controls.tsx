import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { t } from "./texts.ts"

export const Refusal = ({ text }: { readonly text: string }) => (
  <p class="refusal" role="alert">
    {text}
  </p>
)

/** A button whose act is hard to undo: it asks once more. */
export const ConfirmButton = ({
  children,
  question,
  disabled = false,
  quiet = false,
  onConfirm,
}: {
  readonly children: ComponentChildren
  readonly question: string
  readonly disabled?: boolean
  readonly quiet?: boolean
  readonly onConfirm: () => void
}) => {
  const asks = useSignal(false)
  if (!asks.value)
    return (
      <button
        type="button"
        class={quiet ? "quiet" : ""}
        disabled={disabled}
        // Buttons of a list have the same name; the question says which one it is.
        aria-description={question}
        onClick={() => (asks.value = true)}
      >
        {children}
      </button>
    )
  return (
    <span class="confirm" role="group" aria-label={question}>
      <span>{question}</span>
      <button
        type="button"
        class="danger"
        ref={(button) => button?.focus()}
        onClick={() => {
          asks.value = false
          onConfirm()
        }}
      >
        {t("yes")}
      </button>
      <button type="button" onClick={() => (asks.value = false)}>
        {t("no")}
      </button>
    </span>
  )
}

/** A secret that the server shows once. */
export const Secret = ({
  name,
  value,
  onDone,
}: {
  readonly name: string
  readonly value: string
  readonly onDone: () => void
}) => {
  const isCopied = useSignal(false)
  return (
    <div class="secret" role="status">
      <strong>{t("secret.once", { name })}</strong>
      <code>{value}</code>
      <p class="acts">
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(value).then(() => (isCopied.value = true))}
        >
          {t(isCopied.value ? "secret.copied" : "secret.copy")}
        </button>
        <button type="button" onClick={onDone}>
          {t("done")}
        </button>
      </p>
    </div>
  )
}

/** A label above its field. */
export const Field = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <label class="field">
    <span>{label}</span>
    {children}
  </label>
)

/** The texts of a form's fields, without the empty ones. */
export const textsOf = (form: HTMLFormElement): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
    ),
  )
