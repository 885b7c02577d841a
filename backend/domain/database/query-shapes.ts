/**
 * Every way in which collections that grow are searched, each with the index that serves it. A test
 * holds the list against what the domain asks, against the indexes that there are, and, where the
 * server can explain itself, against the plan it makes. A new query goes in here with its index.
 */

export interface QueryShape {
  readonly collection:
    "jobs" | "users" | "sessions" | "usage" | "billing_accounts" | "billing_events" | "makers" | "tickets";
  readonly for: string;
  /** With values of the right kind; which ones does not matter. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  /** The keys of the index; several where each half of an `$or` has its own. */
  readonly indexes: readonly (readonly string[])[];
  /** In the index's own order, so that a limit reads no more than it returns. */
  readonly isSortedByIndex?: true;
}

const ACTIVE = { $in: ["queued", "pending", "processing"] };
const HELD = { $in: ["pending", "processing"] };
const ENDED = { $in: ["completed", "failed", "canceled"] };
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
    for: "active ones beyond a long list, of a device",
    filter: { ...DEVICE, status: ACTIVE },
    sort: { createdAt: -1 },
    indexes: OF_DEVICE,
    isSortedByIndex: true,
  },
  {
    for: "active ones beyond a long list, of a user",
    filter: { ...USER, status: ACTIVE },
    sort: { createdAt: -1 },
    indexes: OF_USER,
    isSortedByIndex: true,
  },
  { for: "what a device has active", filter: { ...DEVICE, status: ACTIVE }, indexes: OF_DEVICE },
  { for: "what a user has active", filter: { ...USER, status: ACTIVE }, indexes: OF_USER },
  {
    for: "a device's places that nobody has",
    filter: { place: { $in: ["a"] }, $nor: [{ ...DEVICE, status: ACTIVE }] },
    indexes: [["place"]],
  },
  {
    for: "a user's places that nobody has",
    filter: { place: { $in: ["a"] }, $nor: [{ ...USER, status: ACTIVE }] },
    indexes: [["place"]],
  },
  { for: "adopting what a device made; one of them", filter: DEVICE, indexes: OF_DEVICE },
  { for: "taking a deleted user's away", filter: USER, indexes: OF_USER },
  { for: "one of a device", filter: { _id: "a", ...DEVICE }, indexes: BY_ID },
  { for: "one of a user", filter: { _id: "a", ...USER }, indexes: BY_ID },
  { for: "one, whoever's", filter: { _id: "a" }, indexes: BY_ID },
  { for: "a batch of a device", filter: { batchId: "a", ...DEVICE }, sort: { createdAt: 1 }, indexes: [["batchId"]] },
  { for: "a batch of a user", filter: { batchId: "a", ...USER }, sort: { createdAt: 1 }, indexes: [["batchId"]] },
  { for: "a request sent again", filter: { requestKey: { $in: ["a"] } }, indexes: [["requestKey"]] },
  { for: "forgetting old requests' names", filter: { _id: { $in: ["a"] } }, indexes: BY_ID },
  { for: "moving one on, whatever its attempt", filter: { _id: "a", status: ACTIVE }, indexes: BY_ID },
  { for: "cancelling one of a device", filter: { _id: "a", ...DEVICE, status: ACTIVE }, indexes: BY_ID },
  { for: "cancelling one of a user", filter: { _id: "a", ...USER, status: ACTIVE }, indexes: BY_ID },
  { for: "moving one attempt of one on", filter: { _id: "a", attempt: 1, status: ACTIVE }, indexes: BY_ID },
  { for: "writing to one in a certain state", filter: { _id: "a", attempt: 1, status: "processing" }, indexes: BY_ID },
  { for: "writing to an ended one", filter: { _id: "a", status: "completed" }, indexes: BY_ID },
  { for: "removing an ended one", filter: { _id: "a", attempt: 1 }, indexes: BY_ID },
  { for: "whether one is lost", filter: { _id: "a", status: HELD, leaseExpiresAt: { $lte: WHEN } }, indexes: BY_ID },
  {
    for: "whether one is still lost",
    filter: { _id: "a", attempt: 1, status: HELD, leaseExpiresAt: { $lte: WHEN } },
    indexes: BY_ID,
  },
  {
    for: "a file that can be handed out again",
    filter: {
      conversionKey: "a",
      status: "completed",
      isExpired: { $ne: true },
      isGivenUp: { $ne: true },
      expiresAt: { $gt: WHEN },
    },
    sort: { expiresAt: -1 },
    indexes: [["conversionKey", "status", "expiresAt"]],
    isSortedByIndex: true,
  },
  {
    for: "whether a file that was taken over is still there",
    filter: { _id: "a", fileKey: "a", status: "completed", isExpired: { $ne: true }, isGivenUp: { $ne: true } },
    indexes: BY_ID,
  },
  {
    for: "whether a stored file is somebody's",
    filter: { $or: [{ fileKey: "a", isExpired: { $ne: true }, isGivenUp: { $ne: true } }, { thumbnailKey: "a" }] },
    indexes: [["fileKey"], ["thumbnailKey"]],
  },
  {
    for: "lost ones",
    filter: { status: HELD, leaseExpiresAt: { $lte: WHEN } },
    indexes: [["status", "leaseExpiresAt"]],
  },
  { for: "all that are held, at a lone start", filter: { status: HELD }, indexes: [["status", "leaseExpiresAt"]] },
  {
    for: "waiting ones that may have lost their ticket",
    filter: { status: "queued", updatedAt: { $lte: WHEN } },
    indexes: [["status", "updatedAt"]],
  },
  {
    for: "files past their time",
    filter: { status: "completed", isExpired: { $ne: true }, expiresAt: { $lte: WHEN } },
    indexes: [["status", "isExpired", "expiresAt"]],
  },
  {
    for: "usage that was not counted",
    filter: { status: "completed", isUsageCounted: { $ne: true } },
    indexes: [["status", "isUsageCounted"]],
  },
  {
    for: "records to be forgotten",
    filter: { status: ENDED, updatedAt: { $lte: WHEN }, $or: [{ status: { $ne: "completed" } }, { isExpired: true }] },
    indexes: [["status", "updatedAt"]],
  },
  {
    for: "how long conversions take",
    filter: { status: "completed", completedAt: { $gt: WHEN }, isRepeat: { $ne: true } },
    sort: { completedAt: -1 },
    indexes: [["completedAt"]],
    isSortedByIndex: true,
  },
  { for: "what deleted accounts left", filter: { deletedAt: { $ne: null, $lte: WHEN } }, indexes: [["deletedAt"]] },
  { for: "how many wait and for how long", filter: { status: ACTIVE }, indexes: [["status", "updatedAt"]] },
];

const users: Omit<QueryShape, "collection">[] = [
  { for: "whoever signs in", filter: { issuer: "a", subject: "a" }, indexes: [["issuer", "subject"]] },
  { for: "the user of a session", filter: { _id: "a", deletedAt: null }, indexes: BY_ID },
  { for: "one user", filter: { _id: "a" }, indexes: BY_ID },
  { for: "an operator's word on an address", filter: { email: "a", deletedAt: null }, indexes: [["email"]] },
  {
    for: "granting by an address",
    filter: { email: "a", deletedAt: null, grantedTier: { $ne: "pro" } },
    indexes: [["email"]],
  },
  {
    for: "who of an address pays",
    filter: { email: "a", deletedAt: null, subscriptionTier: "pro" },
    indexes: [["email"]],
  },
  {
    for: "tiers that changed",
    filter: { tierChangedAt: { $gte: WHEN }, deletedAt: null },
    indexes: [["tierChangedAt"]],
  },
  {
    for: "deletions to be finished",
    filter: { deletedAt: { $ne: null, $lte: WHEN }, isCleared: { $ne: true } },
    indexes: [["deletedAt"]],
  },
  { for: "what deleted accounts left", filter: { deletedAt: { $ne: null, $lte: WHEN } }, indexes: [["deletedAt"]] },
];

const sessions: Omit<QueryShape, "collection">[] = [
  { for: "one that counts", filter: { _id: "a", endedAt: null, expiresAt: { $gt: WHEN } }, indexes: BY_ID },
  { for: "those that count", filter: { _id: { $in: ["a"] }, endedAt: null, expiresAt: { $gt: WHEN } }, indexes: BY_ID },
  { for: "keeping or ending one", filter: { _id: "a", endedAt: null }, indexes: BY_ID },
  { for: "ending several", filter: { _id: { $in: ["a"] } }, indexes: BY_ID },
  { for: "a user's", filter: { userId: "a", endedAt: null }, indexes: [["userId"]] },
  { for: "those that deleted users left", filter: { userId: { $in: ["a"] } }, indexes: [["userId"]] },
  { for: "those past their time", filter: { expiresAt: { $lte: WHEN } }, indexes: [["expiresAt"]] },
];

const usage: Omit<QueryShape, "collection">[] = [
  { for: "a user's month", filter: { userId: "a", month: "2026-01" }, indexes: [["userId", "month"]] },
  {
    for: "a device's month",
    filter: { deviceId: "a", userId: null, month: "2026-01" },
    indexes: [["deviceId", "month"]],
  },
  { for: "a user's all", filter: { userId: "a" }, indexes: [["userId", "month"]] },
  { for: "entries past their time", filter: { completedAt: { $lte: WHEN } }, indexes: [["completedAt"]] },
];

const billingAccounts: Omit<QueryShape, "collection">[] = [
  { for: "whom a message is about", filter: { customerId: "a" }, indexes: [["customerId"]] },
  {
    for: "accounts to be read back",
    filter: { $or: [{ nextReadAt: { $ne: null, $lte: WHEN } }, { nextReadAt: null, customerId: { $ne: null } }] },
    indexes: [["nextReadAt"]],
  },
];

const billingEvents: Omit<QueryShape, "collection">[] = [
  {
    for: "messages whose ticket is lost",
    filter: { handledAt: null, dueAt: { $lte: WHEN } },
    indexes: [["handledAt", "dueAt"]],
  },
  {
    for: "messages of a customer that wait",
    filter: { customerId: "a", handledAt: null },
    indexes: [["customerId", "handledAt"]],
  },
  {
    for: "messages to be forgotten",
    filter: { handledAt: { $ne: null }, receivedAt: { $lte: WHEN } },
    indexes: [["receivedAt"]],
  },
];

const makers: Omit<QueryShape, "collection">[] = [
  { for: "taking over a file to be made", filter: { _id: "a", expiresAt: { $lte: WHEN } }, indexes: BY_ID },
  { for: "who is making a file", filter: { _id: "a", expiresAt: { $gt: WHEN } }, indexes: BY_ID },
  { for: "keeping or ending one's own", filter: { _id: "a", workerId: "a" }, indexes: BY_ID },
  { for: "going on for a job that its worker lost", filter: { _id: "a", workerId: "a", jobId: "a" }, indexes: BY_ID },
  { for: "those that died", filter: { expiresAt: { $lte: WHEN } }, indexes: [["expiresAt"]] },
];

const tickets: Omit<QueryShape, "collection">[] = [
  { for: "a job's", filter: { name: "convert", "data.jobId": "a" }, indexes: [["data.jobId"]] },
  { for: "which jobs have one", filter: { name: "convert", "data.jobId": { $in: ["a"] } }, indexes: [["data.jobId"]] },
];

const of = (collection: QueryShape["collection"], shapes: readonly Omit<QueryShape, "collection">[]): QueryShape[] =>
  shapes.map((shape) => ({ collection, ...shape }));

export const QUERY_SHAPES: readonly QueryShape[] = [
  ...of("jobs", jobs),
  ...of("users", users),
  ...of("sessions", sessions),
  ...of("usage", usage),
  ...of("billing_accounts", billingAccounts),
  ...of("billing_events", billingEvents),
  ...of("makers", makers),
  ...of("tickets", tickets),
];
