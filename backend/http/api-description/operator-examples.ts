/** Example values of the operator's calls; a test reads each with the schema of its place. */
import type { FoundAccount, OperatorAct } from "../../../common/operator-calls.ts";
import type { OperatorHistory, OperatorRecords, OperatorState } from "../../../common/operator.ts";

const ACCOUNT_ID = "5b0c8a4e-6f0d-4d6e-8a58-0d8a8f3c1d22";
const JOB_ID = "3f7c2f0e-8a34-4be2-9f0e-5d6a3c1b2a90";
const WHEN = "2026-01-15T09:30:00.000Z";

const STATE: OperatorState = {
  asOf: WHEN,
  intake: { isPaused: false, since: null, by: null },
  queue: [
    { tier: "free", waiting: 3, waitingForSite: 0, running: 2, oldestSeconds: 12 },
    { tier: "pro", waiting: 0, waitingForSite: 0, running: 1, oldestSeconds: 0 },
  ],
  running: [
    {
      id: JOB_ID,
      tier: "free",
      format: "mp3",
      status: "processing",
      stage: "download",
      progress: 40,
      attempt: 1,
      site: "youtube.com",
      worker: "worker-1:42",
      exit: "direct",
      createdAt: WHEN,
    },
  ],
  failures: [
    { code: "site_changed", site: "youtube.com", count: 4, examples: [{ jobId: JOB_ID, words: "No player found" }] },
  ],
  sites: [{ site: "youtube.com", asked: 120, completed: 112, failed: 6, refusing: 0, changed: 4 }],
  follows: { all: 40, paused: 3, putOff: 2, failing: 1 },
  feeds: { all: 12, readLately: 9 },
  processes: [
    {
      id: "worker-1:42:1c9d7a10-52a1-4f0e-8d43-9a5f2b7c6e01",
      name: "worker-1:42",
      role: "worker",
      startedAt: WHEN,
      sockets: null,
      conversions: 3,
      workerState: "working",
      isRedisUp: true,
      extractor: {
        version: "2026.01.10",
        ageDays: 5,
        failingCanaries: 1,
        failingCanaryNames: ["the sample page"],
        waiting: { version: "2026.01.14", until: WHEN, packages: [] },
        heldBack: null,
        failureShare: 0.05,
      },
      exits: [{ name: "direct", isPaused: false }],
      youtube: {
        unknownClients: [],
        unknownReasons: [],
        clients: [
          {
            name: "visionos",
            videos: 120,
            formats: 2_400,
            withCaptions: 80,
            captionsWithheld: 3,
            refusals: [{ code: "site_changed", times: 4 }],
            lastVideoAt: WHEN,
            isAskedLast: false,
          },
        ],
      },
      databaseMs: 1.4,
      freeDiskBytes: 81_000_000_000,
    },
  ],
  billing: {
    failing: 0,
    overdue: 0,
    unhandledEvents: 0,
    userIds: [],
    disagreeing: 1,
    corrected: 0,
    disagreements: [
      {
        userId: ACCOUNT_ID,
        ours: { tier: "free", until: null },
        theirs: { tier: "pro", until: "2026-02-15T09:30:00.000Z" },
        since: WHEN,
        isCorrected: false,
      },
    ],
  },
};

const HISTORY: OperatorHistory = { points: [{ at: WHEN, jobs: 120, failed: 3, waitP95Seconds: 2 }] };

const RECORDS: OperatorRecords = {
  log: [
    {
      id: "0b9d5c1e-3a1e-4a55-9c4c-0f8d3f3e7b11",
      at: WHEN,
      by: "grace@example.com",
      act: "cancel_job",
      on: JOB_ID,
      result: "done",
    },
  ],
  blocks: [
    {
      kind: "host",
      value: "videos.example",
      reason: "Notice 12",
      by: "grace@example.com",
      createdAt: WHEN,
      until: null,
    },
  ],
};

const FOUND: FoundAccount = {
  id: ACCOUNT_ID,
  email: "ada@example.com",
  isEmailVerified: true,
  createdAt: WHEN,
  tier: "pro",
  isGranted: false,
  jobs: 12,
  sessions: 1,
};

const ACT: OperatorAct = { act: "cancel_job", jobId: JOB_ID };

export const OPERATOR_EXAMPLES = {
  state: STATE,
  history: HISTORY,
  records: RECORDS,
  act: ACT,
  find: { email: "ada@example.com" },
  found: { accounts: [FOUND] },
} as const;
