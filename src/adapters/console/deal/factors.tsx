import { dealsHref } from "../common/links.ts"
import { t } from "../common/texts.ts"
import { Quotes } from "./quotes.tsx"
import type { WholeDeal } from "./wholeDeal.ts"

interface Props {
  readonly deal: WholeDeal
}

const Sign = ({ value }: { readonly value: boolean | null }) => (
  <span class={`sign ${value === null ? "even" : value ? "good" : "bad"}`}>
    <span aria-hidden="true">{value === null ? "•" : value ? "+" : "−"}</span>
    <span class="hidden">{t(value === null ? "effect.neutral" : value ? "effect.positive" : "effect.negative")}</span>
  </span>
)

/** The reasons that helped or hurt. */
export const Drivers = ({ deal: { id, drivers } }: Props) =>
  drivers.length === 0 ? null : (
    <section class="card">
      <h2>{t("deal.drivers")}</h2>
      <ul class="factors">
        {drivers.map((driver) => (
          <li key={driver.reason_id}>
            <Sign value={driver.positive} />
            <div>
              <a href={dealsHref({ driver_ids: [driver.reason_id] })}>{driver.name}</a>
              {driver.category !== null && <span class="tag">{driver.category}</span>}
              <Quotes deal={id} target={driver.reason_id} />
              {driver.summary !== null && <p>{driver.summary}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )

export const Features = ({ deal: { id, features } }: Props) =>
  features.length === 0 ? null : (
    <section class="card">
      <h2>{t("deal.features")}</h2>
      <ul class="factors">
        {features.map((feature, index) => (
          <li key={`${feature.feature_id} ${index}`}>
            <Sign value={feature.sentiment} />
            <div>
              <a href={dealsHref({ feature_ids: [feature.feature_id] })}>{feature.name}</a>
              {feature.tags.map((tag) => (
                <span key={tag} class="tag">
                  {tag}
                </span>
              ))}
              <Quotes deal={id} target={feature.feature_id} />
              {feature.influence_summary !== null && <p>{feature.influence_summary}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )

export const Competitors = ({ deal: { id: dealId, competitors } }: Props) =>
  competitors.length === 0 ? null : (
    <section class="card">
      <h2>{t("deal.competitors")}</h2>
      <ul class="plain-list">
        {competitors.map(({ id, name, is_primary, is_incumbent }) => (
          <li key={id}>
            <a href={dealsHref({ competitors: [id] })}>{name}</a>
            {is_primary && <span class="tag">{t("deal.primary")}</span>}
            {is_incumbent && <span class="tag">{t("deal.incumbent")}</span>}
            <Quotes deal={dealId} target={id} />
          </li>
        ))}
      </ul>
    </section>
  )
