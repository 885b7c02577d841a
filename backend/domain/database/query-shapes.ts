/**
 * Every query on the collections that grow, each with the index that serves it. A new query is added here with its
 * index. A test compares the list with the queries that the domain makes, with the indexes that exist and, if the
 * database server supports explain, with the query plans.
 */

export interface QueryShape {
  readonly collection:
    | "jobs"
    | "users"
    | "sessions"
    | "usage"
    | "account_tombstones"
    | "file_removals"
    | "selections"
    | "tokens"
    | "webhooks"
    | "webhook_deliveries"
    | "billing_accounts"
    | "billing_events"
    | "makers"
    | "tickets"
    | "blocks"
    | "block_log"
    | "block_versions"
    | "operator_log"
    | "operator_switches";
  readonly for: string;
  /** With example values of the right type. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  /** The keys of the index; several where each half of an `$or` has its own. */
  readonly indexes: readonly (readonly string[])[];
  /** The sort follows the order of the index, so that a query with a limit reads no more than it returns. */
  readonly isSortedByIndex?: true;
}

const ACTIVE = { $in: ["queued", "pending", "processing"] };
const HELD = { $in: ["pending", "processing"] };
const WHEN = new Date(0);
const BY_ID = [["_id"]];
const DEVICE = { deviceId: "a", userId: null };
const USER = { userId: "a" };
const OF_DEVICE = [["deviceId", "createdAt"]];
const OF_USER = [["userId", "createdAt"]];

const jobs: Omit<QueryShape, "collection">[] = [
  { for: "the list of a device", filter: DEVICE, sort: { createdAt: -1 }, indexes: OF_DEVICE, isSortedByIndex: true },
  { for: "the list of a user", filter: USER, sort: { createdAt: -1 }, indexes: OF_USER, isSortedByIndex: true },
  {
    for: "active jobs beyond a long list, of a device",
    filter: { ...DEVICE, status: ACTIVE },
    sort: { createdAt: -1 },
    indexes: OF_DEVICE,
    isSortedByIndex: true,
  },
  {
    for: "active jobs beyond a long list, of a user",
    filter: { ...USER, status: ACTIVE },
    sort: { createdAt: -1 },
    indexes: OF_USER,
    isSortedByIndex: true,
  },
  { for: "active jobs of a device", filter: { ...DEVICE, status: ACTIVE }, indexes: OF_DEVICE },
  { for: "active jobs of a user", filter: { ...USER, status: ACTIVE }, indexes: OF_USER },
  {
    for: "stale slots of a device",
    filter: { place: { $in: ["a"] }, $nor: [{ ...DEVICE, status: ACTIVE }] },
    indexes: [["place"]],
  },
  {
    for: "stale slots of a user",
    filter: { place: { $in: ["a"] }, $nor: [{ ...USER, status: ACTIVE }] },
    indexes: [["place"]],
  },
  { for: "active jobs of a network", filter: { network: "a" }, indexes: [["network"]] },
  {
    for: "stale slots of a network",
    filter: { networkSlot: { $in: ["a"] }, status: { $nin: ACTIVE.$in } },
    indexes: [["networkSlot"]],
  },
  {
    for: "number of active jobs of a plan",
    filter: { status: ACTIVE, tier: "free" },
    indexes: [["status", "updatedAt"]],
  },
  { for: "adopting the jobs of a device; reading one of them", filter: DEVICE, indexes: OF_DEVICE },
  { for: "removing the jobs of a deleted user", filter: USER, indexes: OF_USER },
  { for: "one job of a device", filter: { _id: "a", ...DEVICE }, indexes: BY_ID },
  { for: "one job of a user", filter: { _id: "a", ...USER }, indexes: BY_ID },
  { for: "one job of any owner", filter: { _id: "a" }, indexes: BY_ID },
  { for: "a batch of a device", filter: { batchId: "a", ...DEVICE }, sort: { createdAt: 1 }, indexes: [["batchId"]] },
  { for: "a batch of a user", filter: { batchId: "a", ...USER }, sort: { createdAt: 1 }, indexes: [["batchId"]] },
  { for: "active jobs of a batch", filter: { batchId: "a", status: ACTIVE }, indexes: [["batchId"]] },
  { for: "all jobs of a batch", filter: { batchId: "a" }, indexes: [["batchId"]] },
  { for: "the newest jobs of a batch", filter: { batchId: "a" }, sort: { createdAt: -1 }, indexes: [["batchId"]] },
  { for: "a repeated request", filter: { requestKey: { $in: ["a"] } }, indexes: [["requestKey"]] },
  { for: "removing the marks of old requests", filter: { _id: { $in: ["a"] } }, indexes: BY_ID },
  { for: "moving a job, whatever its attempt", filter: { _id: "a", status: ACTIVE }, indexes: BY_ID },
  { for: "canceling a job of a device", filter: { _id: "a", ...DEVICE, status: ACTIVE }, indexes: BY_ID },
  { for: "canceling a job of a user", filter: { _id: "a", ...USER, status: ACTIVE }, indexes: BY_ID },
  { for: "moving a job at one attempt", filter: { _id: "a", attempt: 1, status: ACTIVE }, indexes: BY_ID },
  {
    for: "writing to a job at one attempt in one status",
    filter: { _id: "a", attempt: 1, status: "processing" },
    indexes: BY_ID,
  },
  { for: "writing to a completed job", filter: { _id: "a", status: "completed" }, indexes: BY_ID },
  { for: "removing an ended job", filter: { _id: "a", attempt: 1 }, indexes: BY_ID },
  { for: "whether a job is lost", filter: { _id: "a", status: HELD, leaseExpiresAt: { $lte: WHEN } }, indexes: BY_ID },
  {
    for: "whether a job is still lost",
    filter: { _id: "a", attempt: 1, status: HELD, leaseExpiresAt: { $lte: WHEN } },
    indexes: BY_ID,
  },
  {
    for: "a file that can be reused",
    filter: {
      conversionKey: "a",
      status: "completed",
      isExpired: { $ne: true },
      isGivenUp: { $ne: true },
      sponsorsUnknown: { $ne: true },
      expiresAt: { $gt: WHEN },
      $nor: [{ isRepeat: true, isUsageCounted: { $ne: true } }],
    },
    sort: { expiresAt: -1 },
    indexes: [["conversionKey", "status", "expiresAt"]],
    isSortedByIndex: true,
  },
  {
    for: "whether a job still has its file",
    filter: { _id: "a", fileKey: "a", status: "completed", isExpired: { $ne: true }, isGivenUp: { $ne: true } },
    indexes: BY_ID,
  },
  {
    for: "whether a job references a stored file",
    filter: { $or: [{ fileKey: "a", isExpired: { $ne: true }, isGivenUp: { $ne: true } }, { thumbnailKey: "a" }] },
    indexes: [["fileKey"], ["thumbnailKey"]],
  },
  {
    for: "lost jobs",
    filter: { status: HELD, leaseExpiresAt: { $lte: WHEN } },
    indexes: [["status", "leaseExpiresAt"]],
  },
  {
    for: "all running jobs, at the start of a process that works alone",
    filter: { status: HELD },
    indexes: [["status", "leaseExpiresAt"]],
  },
  {
    for: "queued jobs that may have lost their ticket",
    filter: { status: "queued", updatedAt: { $lte: WHEN } },
    indexes: [["status", "updatedAt"]],
  },
  {
    for: "files whose retention has ended",
    filter: { status: "completed", isExpired: { $ne: true }, expiresAt: { $lte: WHEN } },
    indexes: [["status", "isExpired", "expiresAt"]],
  },
  {
    for: "usage that was not counted",
    filter: {
      status: "completed",
      isUsageCounted: { $ne: true },
      $nor: [{ isRepeat: true, completedAt: { $gt: WHEN } }],
    },
    indexes: [["status", "isUsageCounted"]],
  },
  {
    for: "old records",
    filter: {
      $or: [
        { status: { $in: ["failed", "canceled"] }, updatedAt: { $lte: WHEN } },
        { status: "completed", isExpired: true, expiresAt: { $lte: WHEN } },
      ],
    },
    indexes: [
      ["status", "updatedAt"],
      ["status", "isExpired", "expiresAt"],
    ],
  },
  {
    for: "jobs that wait for a newer tool",
    filter: { status: "queued", isCatchingUp: true },
    indexes: [["status", "updatedAt"]],
  },
  {
    for: "how long conversions take",
    filter: { status: "completed", completedAt: { $gt: WHEN }, isRepeat: { $ne: true }, waitsSince: null },
    sort: { completedAt: -1 },
    indexes: [["completedAt"]],
    isSortedByIndex: true,
  },
  { for: "records of deleted accounts", filter: { deletedAt: { $ne: null, $lte: WHEN } }, indexes: [["deletedAt"]] },
  { for: "active jobs of a blocked video", filter: { subjects: "a", status: ACTIVE }, indexes: [["subjects"]] },
  { for: "jobs of a blocked video", filter: { subjects: "a" }, indexes: [["subjects"]] },
  { for: "active jobs of a blocked device", filter: { deviceId: "a", status: ACTIVE }, indexes: OF_DEVICE },
  {
    for: "whether a job has copies",
    filter: {
      _id: "a",
      $or: [{ status: "completed", isExpired: { $ne: true } }, { thumbnailKey: { $exists: true } }],
    },
    indexes: BY_ID,
  },
  {
    for: "failures of the last hour",
    filter: { status: "failed", updatedAt: { $gt: WHEN } },
    sort: { updatedAt: -1 },
    indexes: [["status", "updatedAt"]],
    isSortedByIndex: true,
  },
  {
    for: "running jobs, for operators",
    filter: { status: HELD },
    sort: { createdAt: 1 },
    indexes: [["status", "leaseExpiresAt"]],
  },
  { for: "the jobs of a day", filter: { createdAt: { $gte: WHEN } }, indexes: [["createdAt"]] },
  { for: "a job that an operator cancels", filter: { _id: "a", deletedAt: null }, indexes: BY_ID },
  {
    for: "a job whose messages are stored",
    filter: { _id: "a", announcedAfter: WHEN },
    indexes: BY_ID,
  },
  {
    for: "jobs whose messages were not stored",
    filter: { announcedAfter: { $lte: WHEN } },
    indexes: [["announcedAfter"]],
  },
  { for: "number and age of waiting jobs", filter: { status: ACTIVE }, indexes: [["status", "updatedAt"]] },
];

const users: Omit<QueryShape, "collection">[] = [
  { for: "the user who signs in", filter: { issuer: "a", subject: "a" }, indexes: [["issuer", "subject"]] },
  { for: "the user of a session", filter: { _id: "a", deletedAt: null }, indexes: BY_ID },
  { for: "one user", filter: { _id: "a" }, indexes: BY_ID },
  { for: "an operator's change to an address", filter: { email: "a", deletedAt: null }, indexes: [["email"]] },
  {
    for: "who of some users is an operator",
    filter: { _id: { $in: ["a"] }, isOperator: true, deletedAt: null },
    indexes: BY_ID,
  },
  { for: "some users", filter: { _id: { $in: ["a"] } }, indexes: BY_ID },
  {
    for: "granting Pro to a verified address",
    filter: { email: "a", deletedAt: null, isEmailVerified: true, grantedTier: { $ne: "pro" } },
    indexes: [["email"]],
  },
  {
    for: "accounts with a verified address",
    filter: { email: "a", deletedAt: null, isEmailVerified: true },
    indexes: [["email"]],
  },
  {
    for: "paying users of an address",
    filter: { email: "a", deletedAt: null, subscriptionTier: "pro" },
    indexes: [["email"]],
  },
  {
    for: "tiers that changed",
    filter: { tierChangedAt: { $gte: WHEN }, deletedAt: null },
    indexes: [["tierChangedAt"]],
  },
  {
    for: "unfinished deletions",
    filter: { deletedAt: { $ne: null, $lte: WHEN }, isCleared: { $ne: true } },
    indexes: [["deletedAt"]],
  },
  { for: "users who pay", filter: { subscriptionTier: "pro", deletedAt: null }, indexes: [["subscriptionTier"]] },
  { for: "records of deleted accounts", filter: { deletedAt: { $ne: null, $lte: WHEN } }, indexes: [["deletedAt"]] },
];

const sessions: Omit<QueryShape, "collection">[] = [
  {
    for: "a valid session",
    filter: { _id: "a", endedAt: null, expiresAt: { $gt: WHEN }, createdAt: { $gt: WHEN } },
    indexes: BY_ID,
  },
  {
    for: "valid sessions",
    filter: { _id: { $in: ["a"] }, endedAt: null, expiresAt: { $gt: WHEN }, createdAt: { $gt: WHEN } },
    indexes: BY_ID,
  },
  { for: "extending or ending a session", filter: { _id: "a", endedAt: null }, indexes: BY_ID },
  { for: "ending several sessions", filter: { _id: { $in: ["a"] } }, indexes: BY_ID },
  { for: "the sessions of a user", filter: { userId: "a", endedAt: null }, indexes: [["userId"]] },
  { for: "sessions of deleted users", filter: { userId: { $in: ["a"] } }, indexes: [["userId"]] },
  { for: "expired sessions", filter: { expiresAt: { $lte: WHEN } }, indexes: [["expiresAt"]] },
];

const usage: Omit<QueryShape, "collection">[] = [
  { for: "a user's month", filter: { userId: "a", month: "2026-01" }, indexes: [["userId", "month"]] },
  {
    for: "a device's month",
    filter: { deviceId: "a", userId: null, month: "2026-01" },
    indexes: [["deviceId", "month"]],
  },
  { for: "all usage of a user", filter: { userId: "a" }, indexes: [["userId", "month"]] },
  { for: "entries past their retention", filter: { completedAt: { $lte: WHEN } }, indexes: [["completedAt"]] },
];

const tombstones: Omit<QueryShape, "collection">[] = [
  { for: "the tombstone of an account", filter: { _id: "a" }, indexes: BY_ID },
  { for: "tombstones past their retention", filter: { deletedAt: { $lte: WHEN } }, indexes: [["deletedAt"]] },
];

const fileRemovals: Omit<QueryShape, "collection">[] = [
  {
    for: "removals to be finished",
    filter: { since: { $lte: WHEN } },
    sort: { since: 1 },
    indexes: [["since"]],
    isSortedByIndex: true,
  },
  { for: "recording or ending a removal", filter: { _id: "a" }, indexes: BY_ID },
];

const selections: Omit<QueryShape, "collection">[] = [
  { for: "one selection", filter: { _id: "a" }, indexes: BY_ID },
  { for: "going on with a selection", filter: { _id: "a", endedAt: null, feedsUntil: { $lte: WHEN } }, indexes: BY_ID },
  { for: "letting others go on with it", filter: { _id: "a", feedsUntil: WHEN }, indexes: BY_ID },
  { for: "ending a selection", filter: { _id: "a", endedAt: null }, indexes: BY_ID },
  { for: "an open selection of a user", filter: { _id: "a", userId: "a", endedAt: null }, indexes: BY_ID },
  { for: "deleting a selection that could not begin", filter: { _id: "a", queued: 0 }, indexes: BY_ID },
  { for: "a repeated request", filter: { requestKey: "a" }, indexes: [["requestKey"]] },
  { for: "open selections of a user", filter: { userId: "a", endedAt: null }, indexes: [["userId"]] },
  { for: "all selections of a user", filter: { userId: "a" }, indexes: [["userId"]] },
  {
    for: "selections to go on with",
    filter: { endedAt: null, feedsUntil: { $lte: WHEN } },
    sort: { feedsUntil: 1 },
    indexes: [["endedAt", "feedsUntil"]],
    isSortedByIndex: true,
  },
  {
    for: "selections that ended long ago",
    filter: { endedAt: { $ne: null, $lte: WHEN } },
    indexes: [["endedAt", "feedsUntil"]],
  },
];

const tokens: Omit<QueryShape, "collection">[] = [
  { for: "a secret", filter: { hash: "a" }, indexes: [["hash"]] },
  { for: "the last use of a token", filter: { _id: "a" }, indexes: BY_ID },
  { for: "revoking a token", filter: { _id: "a", userId: "a" }, indexes: BY_ID },
  { for: "tokens of open sockets", filter: { _id: { $in: ["a"] } }, indexes: BY_ID },
  { for: "tokens of a user", filter: { userId: "a" }, indexes: [["userId", "createdAt"]] },
  {
    for: "the list of a user",
    filter: { userId: "a" },
    sort: { createdAt: -1 },
    indexes: [["userId", "createdAt"]],
    isSortedByIndex: true,
  },
];

const webhooks: Omit<QueryShape, "collection">[] = [
  { for: "whether a user has one that is on", filter: { userId: "a", disabledReason: null }, indexes: OF_USER },
  { for: "those of a user", filter: { userId: "a" }, indexes: OF_USER },
  {
    for: "the list of a user",
    filter: { userId: "a" },
    sort: { createdAt: -1 },
    indexes: OF_USER,
    isSortedByIndex: true,
  },
  {
    for: "the oldest of a user",
    filter: { userId: "a" },
    sort: { createdAt: 1 },
    indexes: OF_USER,
    isSortedByIndex: true,
  },
  { for: "one of a user", filter: { _id: "a", userId: "a" }, indexes: BY_ID },
  { for: "one that is on", filter: { _id: "a", disabledReason: null }, indexes: BY_ID },
  { for: "writing to one", filter: { _id: "a" }, indexes: BY_ID },
  { for: "planning the next message", filter: { _id: "a", dueAt: WHEN }, indexes: BY_ID },
  { for: "planning those that were lost", filter: { _id: { $in: ["a"] } }, indexes: BY_ID },
  { for: "those whose ticket is lost", filter: { dueAt: { $lte: WHEN } }, indexes: [["dueAt"]] },
];

const NEXT = [["webhookId", "state", "nextTryAt"]];
const OF_WEBHOOK = [["webhookId", "createdAt"]];
const ENDED = { webhookId: "a", state: { $in: ["delivered", "failed"] } };
const webhookDeliveries: Omit<QueryShape, "collection">[] = [
  {
    for: "the next message",
    filter: { webhookId: "a", state: "waiting", nextTryAt: { $lte: WHEN } },
    sort: { nextTryAt: 1 },
    indexes: NEXT,
    isSortedByIndex: true,
  },
  {
    for: "when the next message is due",
    filter: { webhookId: "a", state: "waiting" },
    sort: { nextTryAt: 1 },
    indexes: NEXT,
    isSortedByIndex: true,
  },
  { for: "messages that wait", filter: { webhookId: "a", state: "waiting" }, indexes: NEXT },
  {
    for: "giving up messages that wait",
    filter: { webhookId: "a", state: "waiting", createdAt: { $lte: WHEN } },
    indexes: NEXT,
  },
  { for: "ending a try", filter: { _id: "a", state: "waiting" }, indexes: BY_ID },
  { for: "ending a message", filter: { _id: "a" }, indexes: BY_ID },
  {
    for: "the log of a webhook",
    filter: { webhookId: "a" },
    sort: { createdAt: -1 },
    indexes: OF_WEBHOOK,
    isSortedByIndex: true,
  },
  { for: "where the log ends", filter: ENDED, sort: { createdAt: -1 }, indexes: OF_WEBHOOK, isSortedByIndex: true },
  { for: "shortening the log", filter: { ...ENDED, createdAt: { $lte: WHEN } }, indexes: OF_WEBHOOK },
  { for: "messages of a removed webhook", filter: { webhookId: "a" }, indexes: OF_WEBHOOK },
  { for: "messages of a user", filter: { userId: "a" }, indexes: [["userId"]] },
  { for: "old messages", filter: { createdAt: { $lte: WHEN } }, indexes: [["createdAt"]] },
];

const billingAccounts: Omit<QueryShape, "collection">[] = [
  { for: "the account that an event is about", filter: { customerId: "a" }, indexes: [["customerId"]] },
  {
    for: "accounts to be read back",
    filter: { $or: [{ nextReadAt: { $ne: null, $lte: WHEN } }, { nextReadAt: null, customerId: { $ne: null } }] },
    indexes: [["nextReadAt"]],
  },
  { for: "accounts whose read-back failed", filter: { failures: { $gt: 0 } }, indexes: [["failures"]] },
  {
    for: "accounts whose read-back is late",
    filter: { nextReadAt: { $ne: null, $lte: WHEN } },
    indexes: [["nextReadAt"]],
  },
];

const disagreements: Omit<QueryShape, "collection">[] = [
  {
    for: "accounts with a subscription",
    filter: { "subscription.id": { $gt: "a" }, closedAt: null },
    indexes: [["subscription.id"]],
  },
  {
    for: "accounts that a read-back has corrected",
    filter: { "difference.at": { $gt: WHEN }, closedAt: null },
    sort: { "difference.at": -1 },
    indexes: [["difference.at"]],
    isSortedByIndex: true,
  },
];

const billingEvents: Omit<QueryShape, "collection">[] = [
  {
    for: "events whose ticket is lost",
    filter: { handledAt: null, dueAt: { $lte: WHEN } },
    indexes: [["handledAt", "dueAt"]],
  },
  {
    for: "waiting events of a customer",
    filter: { customerId: "a", handledAt: null },
    indexes: [["customerId", "handledAt"]],
  },
  {
    for: "events that have waited for long",
    filter: { handledAt: null, receivedAt: { $lte: WHEN } },
    indexes: [["handledAt", "dueAt"]],
  },
  {
    for: "old events",
    filter: { receivedAt: { $lte: WHEN } },
    indexes: [["receivedAt"]],
  },
];

const conversionLeases: Omit<QueryShape, "collection">[] = [
  { for: "acquiring a lease", filter: { _id: "a", expiresAt: { $lte: WHEN } }, indexes: BY_ID },
  { for: "reading a lease", filter: { _id: "a", expiresAt: { $gt: WHEN } }, indexes: BY_ID },
  { for: "renewing or releasing a lease", filter: { _id: "a", workerId: "a" }, indexes: BY_ID },
  {
    for: "transferring the lease of a job that its worker lost",
    filter: { _id: "a", workerId: "a", jobId: "a" },
    indexes: BY_ID,
  },
  { for: "leases of dead workers", filter: { expiresAt: { $lte: WHEN } }, indexes: [["expiresAt"]] },
];

const tickets: Omit<QueryShape, "collection">[] = [
  { for: "tickets of a job", filter: { name: "convert", "data.jobId": "a" }, indexes: [["data.jobId"]] },
  {
    for: "jobs that have a ticket",
    filter: { name: "convert", "data.jobId": { $in: ["a"] } },
    indexes: [["data.jobId"]],
  },
  {
    for: "tickets that are done but were not removed",
    filter: { lastFinishedAt: { $lte: WHEN }, nextRunAt: null, lockedAt: null },
    indexes: [["lastFinishedAt"]],
  },
];

const blocks: Omit<QueryShape, "collection">[] = [
  { for: "one entry", filter: { _id: "a" }, indexes: BY_ID },
  {
    for: "entries to be applied",
    filter: { state: { $ne: "settled" }, dueAt: { $lte: WHEN } },
    indexes: [["state", "dueAt"]],
  },
  { for: "taking an entry", filter: { _id: "a", state: "new", dueAt: WHEN }, indexes: BY_ID },
  { for: "entries that have ended", filter: { until: { $ne: null, $lte: WHEN } }, indexes: [["until"]] },
  { for: "deleting an entry that has ended", filter: { _id: "a", until: WHEN }, indexes: BY_ID },
];

const blockLog: Omit<QueryShape, "collection">[] = [
  { for: "lines past their retention", filter: { at: { $lte: WHEN } }, indexes: [["at"]] },
];

const blockVersions: Omit<QueryShape, "collection">[] = [
  { for: "reading or raising the version", filter: { _id: "list" }, indexes: BY_ID },
];

const operatorLog: Omit<QueryShape, "collection">[] = [
  { for: "writing the result of an act", filter: { _id: "a" }, indexes: BY_ID },
  { for: "lines past their retention", filter: { at: { $lte: WHEN } }, indexes: [["at"]] },
];

const operatorSwitches: Omit<QueryShape, "collection">[] = [
  { for: "reading or setting a switch", filter: { _id: "intake" }, indexes: BY_ID },
];

const of = (collection: QueryShape["collection"], shapes: readonly Omit<QueryShape, "collection">[]): QueryShape[] =>
  shapes.map((shape) => ({ collection, ...shape }));

export const QUERY_SHAPES: readonly QueryShape[] = [
  ...of("jobs", jobs),
  ...of("users", users),
  ...of("sessions", sessions),
  ...of("usage", usage),
  ...of("account_tombstones", tombstones),
  ...of("file_removals", fileRemovals),
  ...of("selections", selections),
  ...of("tokens", tokens),
  ...of("webhooks", webhooks),
  ...of("webhook_deliveries", webhookDeliveries),
  ...of("billing_accounts", [...billingAccounts, ...disagreements]),
  ...of("billing_events", billingEvents),
  ...of("makers", conversionLeases),
  ...of("tickets", tickets),
  ...of("blocks", blocks),
  ...of("block_log", blockLog),
  ...of("block_versions", blockVersions),
  ...of("operator_log", operatorLog),
  ...of("operator_switches", operatorSwitches),
];
