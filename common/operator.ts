/** What the operator's page shows. Made by the server, by the call that begins to watch and by the event `operator`. */
import { z } from "zod";
import { BlockKind } from "./block-kinds.ts";
import { ConversionErrorCode } from "./error-codes.ts";
import { JobStatus, Stage } from "./job.ts";
import { Format, Tier } from "./tiers.ts";

const Time = z.iso.datetime();
const Count = z.number().int().nonnegative();

/** The jobs of one tier. */
export const QueueRow = z.object({
  tier: Tier,
  waiting: Count,
  /** Queued until their video site may be asked; no worker would help these. */
  waitingForSite: Count,
  running: Count,
  /** How long the job waits that has waited longest for a worker; 0 when none does. */
  oldestSeconds: z.number().nonnegative(),
});
export type QueueRow = z.infer<typeof QueueRow>;

/** A job in the hands of a worker. Its link and its title are the visitor's, so they are not here. */
export const RunningJob = z.object({
  id: z.string(),
  tier: Tier,
  format: Format,
  status: JobStatus,
  stage: Stage.nullable(),
  progress: z.number(),
  attempt: Count,
  /** Host of the link. Empty for a tape, for which no site is asked. */
  site: z.string(),
  /** Machine and process id of the worker. */
  worker: z.string(),
  /** Name of the exit to the site; null before it is known, and for sites that are asked without one. */
  exit: z.string().nullable(),
  createdAt: Time,
});
export type RunningJob = z.infer<typeof RunningJob>;

export const FailureExample = z.object({
  jobId: z.string(),
  /** What the tool said, without links and ids of videos; null when no tool said anything. */
  words: z.string().nullable(),
});

/** Failures of the last hour with one code at one site. */
export const FailureGroup = z.object({
  code: ConversionErrorCode,
  /** Empty for tapes. */
  site: z.string(),
  count: Count,
  examples: z.array(FailureExample),
});
export type FailureGroup = z.infer<typeof FailureGroup>;

/** Jobs that were asked for at one site in the last hour. */
export const SiteFigures = z.object({
  site: z.string(),
  asked: Count,
  completed: Count,
  failed: Count,
  /** Of those that failed: the site refused this server. */
  refusing: Count,
  /** Of those that failed: its pages have changed, and yt-dlp could not read them. */
  changed: Count,
});
export type SiteFigures = z.infer<typeof SiteFigures>;

/** "draining": an operator has told this worker to take no more jobs, and some still run; "drained": none does. */
export const WorkerState = z.enum(["working", "draining", "drained"]);
export type WorkerState = z.infer<typeof WorkerState>;

/** What a client of YouTube gave and refused since its process started. */
export const YouTubeClient = z.object({
  /** As it stands in YOUTUBE_CLIENTS; `account` when signed in to the operator's account. */
  name: z.string(),
  /** That it gave. */
  videos: Count,
  /** Of all these videos. */
  formats: Count,
  /** Videos with captions. */
  withCaptions: Count,
  /** Videos whose captions it did not give. */
  captionsWithheld: Count,
  /** Attempts that ended with an error, by its code. */
  refusals: z.array(z.object({ code: z.string(), times: Count })),
  /** Null when it gave none. */
  lastVideoAt: Time.nullable(),
  /** It fails for most videos. */
  isAskedLast: z.boolean(),
});
export type YouTubeClient = z.infer<typeof YouTubeClient>;

/** What YouTube and yt-dlp have said that this version does not expect. */
export const YouTubeRemarks = z.object({
  /** Clients of YOUTUBE_CLIENTS that the yt-dlp in use does not have. */
  unknownClients: z.array(z.string()),
  /** Reasons of the last day that no rule knows, in YouTube's words, without links and ids of videos. */
  unknownReasons: z.array(z.string()),
  /**
   * Why the site's scripts do not run: there is no Deno, or it was stopped within the last day. Null when they run.
   * Absent from a process of an older version.
   */
  scripts: z.enum(["absent", "stopped"]).nullable().optional(),
});
export type YouTubeRemarks = z.infer<typeof YouTubeRemarks>;

/** Why yt-dlp does not get newer though it is old. */
export const HeldBack = z.object({
  /**
   * "python": the newest release needs a newer Python; "dependency": it needs what the index does not have; "index": the
   * index has no newer one; "failed": pip failed.
   */
  cause: z.enum(["python", "dependency", "index", "failed"]),
  /** The newest release of the index; null when pip failed. */
  version: z.string().nullable(),
  /** Words of pip; empty for "index". */
  words: z.string(),
});
export type HeldBack = z.infer<typeof HeldBack>;

/** What one process knows of itself. Null where it has no such part. */
export const ProcessReport = z.object({
  /** Unique among all processes, also those that were before. */
  id: z.string(),
  /** Machine and process id. */
  name: z.string(),
  role: z.string(),
  startedAt: Time,
  sockets: Count.nullable(),
  conversions: Count.nullable(),
  /** Absent from a process of an older version, which cannot be drained. */
  workerState: WorkerState.nullable().optional(),
  isRedisUp: z.boolean().nullable(),
  extractor: z
    .object({
      version: z.string(),
      ageDays: z.number(),
      failingCanaries: Count,
      /** The sample page or links of the operator; absent from a process of an older version. */
      failingCanaryNames: z.array(z.string()).optional(),
      /** A newer one that is not used yet; absent from a process of an older version. */
      waiting: z
        .object({
          version: z.string(),
          /** Null when it is not too new. */
          until: Time.nullable(),
          /** What it needs and no operator has allowed. */
          packages: z.array(z.string()),
        })
        .nullable()
        .optional(),
      /** Why it does not get newer. Null when it does, or is new; absent from a process of an older version. */
      heldBack: HeldBack.nullable().optional(),
      /** Of its last 40 links, 0 to 1. */
      failureShare: z.number(),
    })
    .nullable(),
  exits: z.array(z.object({ name: z.string(), isPaused: z.boolean() })),
  /** Absent from a process of an older version. */
  youtube: YouTubeRemarks.extend({
    /** Absent from a process of an older version. */
    clients: z.array(YouTubeClient).optional(),
  })
    .nullable()
    .optional(),
  /**
   * How long the database took to answer the last ping; null while it does not answer. Absent from a process of an older
   * version.
   */
  databaseMs: z.number().nonnegative().nullable().optional(),
  /** Of the disk with its data folder; null if it cannot be read. */
  freeDiskBytes: z.number().nullable(),
});
export type ProcessReport = z.infer<typeof ProcessReport>;

export const PaidTier = z.object({ tier: Tier, until: Time.nullable() });
export type PaidTier = z.infer<typeof PaidTier>;

/** An account that is not here what the payment provider says. */
export const BillingDisagreement = z.object({
  userId: z.string(),
  ours: PaidTier,
  /** As last read back. */
  theirs: PaidTier,
  since: Time,
  /** A read-back has found it without a message of the provider, and has taken over what the provider said. */
  isCorrected: z.boolean(),
});
export type BillingDisagreement = z.infer<typeof BillingDisagreement>;

/** Subscriptions whose state here may not be that of the payment provider. */
export const BillingReport = z.object({
  /** Their last read-back failed. */
  failing: Count,
  /** Their read-back has been due for longer than ten minutes. */
  overdue: Count,
  /** Messages of the provider that have waited for longer than ten minutes. */
  unhandledEvents: Count,
  /** Ids of some of the accounts that could not be read back in time. */
  userIds: z.array(z.string()),
  /** Accounts that disagree now. */
  disagreeing: Count,
  /** Accounts that were corrected in the last 24 hours. */
  corrected: Count,
  /** Some of both, those that disagree now first. */
  disagreements: z.array(BillingDisagreement),
});
export type BillingReport = z.infer<typeof BillingReport>;

/** Followed playlists and channels of all accounts. */
export const FollowFigures = z.object({
  all: Count,
  paused: Count,
  /** Their last look was put off, because the site takes no more questions for the moment. */
  putOff: Count,
  /** Their list could not be read at the last look. */
  failing: Count,
});
export type FollowFigures = z.infer<typeof FollowFigures>;

/** Podcast feeds of all accounts, of which each has one at most. */
export const FeedFigures = z.object({
  all: Count,
  /** An app has read them within a day. */
  readLately: Count,
});
export type FeedFigures = z.infer<typeof FeedFigures>;

/** Whether workers take new jobs. */
export const IntakeState = z.object({
  isPaused: z.boolean(),
  since: Time.nullable(),
  /** Id of the operator's account. */
  by: z.string().nullable(),
});
export type IntakeState = z.infer<typeof IntakeState>;

/** POST /api/operator/watch; pushed as `operator`. */
export const OperatorState = z.object({
  asOf: Time,
  intake: IntakeState,
  queue: z.array(QueueRow),
  /** The oldest; `queue` counts all. */
  running: z.array(RunningJob),
  failures: z.array(FailureGroup),
  /** The ten that were asked most. */
  sites: z.array(SiteFigures),
  /** Absent from a process of an older version. */
  follows: FollowFigures.optional(),
  /** Absent from a process of an older version. */
  feeds: FeedFigures.optional(),
  /** Of all processes that answered lately. */
  processes: z.array(ProcessReport),
  billing: BillingReport,
});
export type OperatorState = z.infer<typeof OperatorState>;

/** The jobs that were asked for within one quarter of an hour. */
export const HistoryPoint = z.object({
  at: Time,
  jobs: Count,
  failed: Count,
  /** 95 of 100 jobs were with a worker after this time; null when none was. */
  waitP95Seconds: z.number().nullable(),
});
export type HistoryPoint = z.infer<typeof HistoryPoint>;

/** GET /api/operator/history: the last 24 hours, oldest first. */
export const OperatorHistory = z.object({ points: z.array(HistoryPoint) });
export type OperatorHistory = z.infer<typeof OperatorHistory>;

export const OperatorLogLine = z.object({
  id: z.string(),
  at: Time,
  /** Email address of the operator, their id once the account is gone, or the command and the user of the machine. */
  by: z.string(),
  act: z.string(),
  on: z.string(),
  /** "done", "begun" when the server stopped meanwhile, or the code of an error. */
  result: z.string(),
});
export type OperatorLogLine = z.infer<typeof OperatorLogLine>;

export const BlockEntry = z.object({
  kind: BlockKind,
  value: z.string(),
  reason: z.string(),
  by: z.string(),
  createdAt: Time,
  until: Time.nullable(),
});
export type BlockEntry = z.infer<typeof BlockEntry>;

/** GET /api/operator/records: the newest lines of the log, and the block list; newest first. */
export const OperatorRecords = z.object({ log: z.array(OperatorLogLine), blocks: z.array(BlockEntry) });
export type OperatorRecords = z.infer<typeof OperatorRecords>;
