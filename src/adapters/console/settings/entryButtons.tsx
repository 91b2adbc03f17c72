import { ConfirmButton } from "../common/controls.tsx"
import { t } from "../common/texts.ts"

/** Changes or deletes an entry of the catalogue; a deletion asks first. */
export const EntryButtons = ({
  name,
  isBusy,
  onChange,
  onDelete,
}: {
  readonly name: string
  readonly isBusy: boolean
  readonly onChange: () => void
  readonly onDelete: () => void
}) => (
  <>
    <button type="button" onClick={onChange}>
      {t("change")}
    </button>
    <ConfirmButton disabled={isBusy} question={t("names.deleteAsk", { name })} onConfirm={onDelete}>
      {t("delete")}
    </ConfirmButton>
  </>
)
