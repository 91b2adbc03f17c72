import { client } from "../common/api.ts"
import * as format from "../common/format.ts"
import { Loaded } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useQuery } from "../common/useQuery.ts"

/** The workspace's use of its plan. Sessions of the console use none of it. */
export const UsageCard = () => {
  const query = useQuery(["usage"], (signal) => client.access.usage(undefined, { signal }))
  return (
    <section class="card">
      <h2>{t("settings.usage")}</h2>
      <Loaded query={query} lines={4}>
        {({ organization }) => (
          <>
            <p class="soft">{t("settings.plan", { plan: organization.plan })}</p>
            <ul class="bars">
              {(["requests_per_minute", "requests_per_month", "exports_per_month"] as const).map((name) => {
                const { used, limit } = organization[name]
                return (
                  <li key={name} class="bar-row">
                    <span class="bar-name">{t(`usage.${name}`)}</span>
                    <span class="bar-value">
                      {limit === null
                        ? t("usage.noLimit", { used: format.count(used) })
                        : `${format.count(used)} / ${format.count(limit)}`}
                    </span>
                    <span class="track">
                      <span
                        class="back-accent"
                        style={{ width: `${limit === null ? 0 : Math.min(100, (100 * used) / limit)}%` }}
                      />
                    </span>
                  </li>
                )
              })}
            </ul>
            <p class="soft small">{t("usage.linkViews", { count: format.count(organization.link_views) })}</p>
            <p class="soft small">{t("settings.usageHint")}</p>
          </>
        )}
      </Loaded>
    </section>
  )
}
