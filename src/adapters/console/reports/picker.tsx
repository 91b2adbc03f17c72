import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import { Icon } from "../common/icons.tsx"
import { t } from "../common/texts.ts"
import type { Choice } from "./names.ts"

/** The choices from a list, in order, and the list. */
export const Picker = ({
  chosen,
  choices,
  least = 0,
  most,
  add,
  onToggle,
  children,
}: {
  /** Names of `choices`. */
  readonly chosen: ReadonlyArray<string>
  readonly choices: ReadonlyArray<Choice>
  readonly least?: number
  readonly most: number
  readonly add: string
  readonly onToggle: (name: string) => void
  /** The content of a chip besides its name. */
  readonly children?: (name: string) => ComponentChildren
}) => {
  const id = useId()
  const [text, setText] = useState("")
  const wanted = text.trim().toLocaleLowerCase()
  const labelOf = (name: string) => choices.find((each) => each.name === name)?.label ?? name
  return (
    <div class="chips">
      {chosen.map((name) => (
        <span key={name} class="chip">
          <span class="chip-name">{labelOf(name)}</span>
          {children?.(name)}
          {chosen.length > least && (
            <button
              type="button"
              aria-label={t("reports.remove", { name: labelOf(name) })}
              onClick={() => onToggle(name)}
            >
              <Icon name="close" />
            </button>
          )}
        </span>
      ))}
      <button type="button" class="quiet" popovertarget={id}>
        <Icon name="plus" />
        {add}
      </button>
      <div id={id} popover="auto" class="popover start">
        <label class="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label={t("reports.search")}
            placeholder={t("reports.search")}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <ul class="choices">
          {choices
            .filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
            .map(({ name, label }) => (
              <li key={name}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(name)}
                    disabled={
                      chosen.length >= most ? !chosen.includes(name) : chosen.length <= least && chosen.includes(name)
                    }
                    onChange={() => onToggle(name)}
                  />
                  <span class="grow">{label}</span>
                </label>
              </li>
            ))}
        </ul>
      </div>
    </div>
  )
}
