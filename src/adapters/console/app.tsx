import { useEffect } from "preact/hooks"
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso"
import { client, queries } from "./common/api.ts"
import { BASE, hrefOf } from "./common/base.ts"
import { lazyPage } from "./common/lazyPage.tsx"
import { signedIn } from "./common/session.ts"
import { Failure, Notice, Skeleton } from "./common/state.tsx"
import { signal } from "@preact/signals"
import { t } from "./common/texts.ts"
import { Home, loadHome } from "./home/home.tsx"
import { Shell } from "./shell.tsx"
import { SignIn } from "./signIn.tsx"

const Deals = lazyPage(() => import("./deals/deals.tsx").then(({ Deals }) => Deals))
const Deal = lazyPage(() => import("./deal/deal.tsx").then(({ Deal }) => Deal))
const Ask = lazyPage(() => import("./ask/ask.tsx").then(({ Ask }) => Ask))
const Reports = lazyPage(() => import("./reports/reports.tsx").then(({ Reports }) => Reports))
const Boards = lazyPage(() => import("./reports/boards.tsx").then(({ Boards }) => Boards))
const Board = lazyPage(() => import("./reports/board.tsx").then(({ Board }) => Board))
const Review = lazyPage(() => import("./review/review.tsx").then(({ Review }) => Review))
const Competitors = lazyPage(() => import("./competitors/competitors.tsx").then(({ Competitors }) => Competitors))
const Competitor = lazyPage(() => import("./competitors/competitor.tsx").then(({ Competitor }) => Competitor))
const Features = lazyPage(() => import("./features/features.tsx").then(({ Features }) => Features))
const Feature = lazyPage(() => import("./features/feature.tsx").then(({ Feature }) => Feature))
const Library = lazyPage(() => import("./library/library.tsx").then(({ Library }) => Library))
const Settings = lazyPage(() => import("./settings/settings.tsx").then(({ Settings }) => Settings))

const failure = signal<Error | undefined>(undefined)

/** Reads who is signed in. A reply of 401 signs out, so only other errors remain. */
const start = async () => {
  failure.value = undefined
  try {
    const [sessions, workspace] = await Promise.all([
      client.sessions.list(),
      queries.fetchQuery({ queryKey: ["workspace"], queryFn: () => client.workspace.get() }),
    ])
    const session = sessions.data.find((each) => each.current)
    if (session !== undefined) signedIn.value = { session, workspace }
  } catch (error) {
    if (signedIn.value !== null) failure.value = error as Error
  }
}

const Pages = () => {
  const { path } = useLocation()
  useEffect(() => {
    if (path === hrefOf("/")) loadHome()
    if (path !== hrefOf("/sign-in")) void start()
    else if (signedIn.value === undefined) signedIn.value = null
  }, [])
  if (failure.value !== undefined && signedIn.value == null)
    return (
      <main class="alone">
        <Failure error={failure.value} retry={() => void start()} />
      </main>
    )
  if (signedIn.value === undefined)
    return (
      // The server's page shows the same first line, before the script arrives.
      <main class="alone">
        <p class="brand">Sightline</p>
        <Skeleton lines={4} />
      </main>
    )
  if (signedIn.value === null) return <SignIn onSignedIn={start} />
  return (
    <Shell>
      <Router>
        <Route path={hrefOf("/")} component={Home} />
        <Route path={hrefOf("/deals")} component={Deals} />
        <Route path={hrefOf("/deals/:id")} component={Deal} />
        <Route path={hrefOf("/ask")} component={Ask} />
        <Route path={hrefOf("/reports")} component={Reports} />
        <Route path={hrefOf("/reports/boards")} component={Boards} />
        <Route path={hrefOf("/reports/boards/:id")} component={Board} />
        <Route path={hrefOf("/review")} component={Review} />
        <Route path={hrefOf("/competitors")} component={Competitors} />
        <Route path={hrefOf("/competitors/:id")} component={Competitor} />
        <Route path={hrefOf("/features")} component={Features} />
        <Route path={hrefOf("/features/:id")} component={Feature} />
        <Route path={hrefOf("/library")} component={Library} />
        <Route path={hrefOf("/settings")} component={Settings} />
        <Route path={hrefOf("/settings/:part")} component={Settings} />
        <Route default component={Missing} />
      </Router>
    </Shell>
  )
}

const Missing = () => (
  <div class="page">
    <Notice title={t("state.missing")}>
      <a href={hrefOf("/")}>{t("nav.home")}</a>
    </Notice>
  </div>
)

export const App = () => (
  <LocationProvider
    scope={
      new RegExp(`^${BASE}/(?:$|\\?|(?:deals|ask|reports|review|competitors|features|library|settings)(?:$|[/?]))`)
    }
  >
    <ErrorBoundary>
      <Pages />
    </ErrorBoundary>
  </LocationProvider>
)
