/**
 * Tier 2: files of `npm run test:all` alone, by the end of their names. They download, sleep for a lease, measure memory or CPU time, or
 * repeat on another runtime or engine what a file of tier 1 tests.
 */
export const TIER_2 = "test/**/*.all.test.ts"

/** Files in these folders share processes: importing the service takes two seconds of CPU. */
export const SHARED = [
  "test/{access,analysis,answers,audit,catalogue,changes,clients,deals,exports,house,http}/**/*.test.ts",
  "test/{import,ingest,intelligence,jobs,keys,library,limits,mcp,questions,records,replies,reports,search}/**/*.test.ts",
  "test/{signing,storage,views,webhooks}/**/*.test.ts",
  "test/adapters/{blobs,configuration,speech}/*.test.ts",
  "test/adapters/*.test.ts",
  "test/operator/{erasing,operator}.test.ts",
]

/** Files that need a process of their own all the same. */
export const ALONE = [
  TIER_2,
  // They start programs, browsers or threads, and take long.
  "test/answers/{agentRuntimes,figureBrowser,sockets}.test.ts",
  "test/clients/{page,runtimes}.test.ts",
  "test/house/{deploy,stoppedRun}.test.ts",
  "test/http/docsBrowser.test.ts",
  "test/ingest/formats/office/{officeHostile,officeRuntimes}.test.ts",
  "test/ingest/sandbox/*.test.ts",
  "test/library/{durable,recognition,recordings,viewerBrowser}.test.ts",
  "test/limits/processes.test.ts",
  "test/mcp/clients.test.ts",
  "test/storage/{directoryLock,distribute}.test.ts",
  // They fill a database or a disk.
  "test/changes/plans.test.ts",
  "test/deals/{filters,plans}.test.ts",
  "test/storage/{engine,reusePlans,space}.test.ts",
]

/** The files that take longest, which start first: a file that starts last keeps one worker waiting for the other. */
export const LONGEST = [
  "test/isolation/isolation.test.ts",
  "test/deals/filters.test.ts",
  "test/package/package.test.ts",
  "test/backup/backup.test.ts",
  "test/conformance/node.test.ts",
  "test/readme.test.ts",
  "test/library/durable.test.ts",
  "test/deals/plans.test.ts",
  "test/reports/reports.test.ts",
  "test/questions/set.test.ts",
  "test/jobs/background.test.ts",
]
