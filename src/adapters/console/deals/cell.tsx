import type { Row } from "../../client/client.ts"
import * as format from "../common/format.ts"
import { dealHref } from "../common/links.ts"
import { type Column, COLUMNS, type ColumnName } from "./fields.ts"
import { Outcome } from "./outcome.tsx"

export type DealRow = Row<ColumnName | "status_id">

export const Cell = ({ name, row }: { readonly name: ColumnName; readonly row: DealRow }) => {
  const { isNumber }: Column = COLUMNS[name]
  if (name === "name")
    return (
      <th scope="row">
        <a href={dealHref(row.id)} title={row.name} onClick={(event) => event.stopPropagation()}>
          {row.name}
        </a>
      </th>
    )
  const content = drawContent(name, row)
  return (
    <td class={isNumber ? "number" : undefined} title={typeof content === "string" ? content : undefined}>
      {content}
    </td>
  )
}

const drawContent = (name: Exclude<ColumnName, "name">, row: DealRow) => {
  switch (name) {
    case "amount":
      return format.money(row.amount)
    case "deal_status":
      return <Outcome stageId={row.status_id} name={row.deal_status} />
    case "close_date":
    case "created_at":
    case "updated_at":
      return format.day(row[name])
    case "primary_competitor":
      return row.primary_competitor?.name ?? format.NONE
    case "drivers":
      return row.drivers.map((driver) => driver.name).join(", ") || format.NONE
    case "product_labels":
      return row.product_labels.join(", ") || format.NONE
    case "client_name":
    case "owner_name":
    case "region":
    case "industry":
    case "type":
      return row[name] ?? format.NONE
    default:
      return format.decimal(row[name])
  }
}
