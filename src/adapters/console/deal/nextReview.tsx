import { useEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import { reviewHref } from "../common/links.ts"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"

/** Deals that the reader passed in this tab without judging all findings, so that the queue does not return to them. */
const passed = new Set<string>()

/** Leads to the next deal of the queue, also by the key `n`. */
export const NextReview = ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const query = useQuery(["queue"], (signal) => client.analysis.queue({ page_size: 50 }, { signal }))
  const next = query.data?.data.find(({ deal_id }) => deal_id !== id && !passed.has(deal_id))
  const href = next === undefined ? hrefOf("/review") : reviewHref(next.deal_id)
  useEffect(() => {
    passed.add(id)
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select")
      if (event.key !== "n" || isTyping || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      route(href)
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  }, [id, href])
  return (
    <a class="button" href={href}>
      {next === undefined ? t("review.back") : t("review.next", { name: next.deal_name })} <kbd>n</kbd>
    </a>
  )
}
