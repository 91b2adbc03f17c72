import { useSignal } from "@preact/signals"
import { Icon } from "./icons.tsx"

/** A field for files inside a label that looks like something else. The same file can be chosen again. */
export const FileInput = ({
  accept,
  multiple = false,
  isDisabled = false,
  label,
  onFiles,
}: {
  readonly accept: string
  readonly multiple?: boolean
  readonly isDisabled?: boolean
  readonly label?: string
  readonly onFiles: (files: ReadonlyArray<File>) => void
}) => (
  <input
    type="file"
    class="hidden"
    accept={accept}
    multiple={multiple}
    disabled={isDisabled}
    aria-label={label}
    onChange={({ currentTarget }) => {
      onFiles([...(currentTarget.files ?? [])])
      currentTarget.value = ""
    }}
  />
)

/** A place to drop files on, or to choose them. */
export const Drop = ({
  accept,
  multiple = false,
  title,
  hint,
  isDisabled = false,
  onFiles,
}: {
  readonly accept: string
  readonly multiple?: boolean
  readonly title: string
  readonly hint: string
  readonly isDisabled?: boolean
  readonly onFiles: (files: ReadonlyArray<File>) => void
}) => {
  const isOver = useSignal(false)
  return (
    <label
      class={isOver.value ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault()
        isOver.value = false
        if (!isDisabled) onFiles([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <Icon name="upload" />
      <strong>{title}</strong>
      <span class="soft small">{hint}</span>
      <FileInput accept={accept} multiple={multiple} isDisabled={isDisabled} onFiles={onFiles} />
    </label>
  )
}
