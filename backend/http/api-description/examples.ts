/** Example values of the description; a test reads each with the schema of its place. */
import type { z } from "zod";
import type * as api from "../../../common/api.ts";
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import { SENTENCES } from "../../../common/errors.ts";
import type { Job } from "../../../common/job.ts";
import type { JobMessage, TestMessage, Webhook, WebhookDelivery } from "../../../common/webhook-calls.ts";
import type { ListPage } from "../../../common/lists.ts";
import type { PreviewAnswer } from "./schemas.ts";

const LINK = "https://www.youtube.com/watch?v=aqz-KE-bpKQ";
const OTHER_LINK = "https://www.youtube.com/watch?v=YE7VzlLtp-4";
const LIST_LINK = "https://www.youtube.com/playlist?list=PL6B3937A5D230E335";
const BATCH_ID = "8d1f0a52-3a1e-4a55-9c4c-0f8d3f3e7b11";

export const QUEUED_JOB: Job = {
  id: "3f7c2f0e-8a34-4be2-9f0e-5d6a3c1b2a90",
  title: LINK,
  format: "mp3",
  quality: "128kbps",
  status: "queued",
  progress: 0,
  attempt: 1,
  createdAt: "2026-01-15T09:30:00.000Z",
  updatedAt: "2026-01-15T09:30:00.000Z",
};

export const COMPLETED_JOB: Job = {
  ...QUEUED_JOB,
  title: "Big Buck Bunny",
  status: "completed",
  progress: 100,
  updatedAt: "2026-01-15T09:30:04.000Z",
  durationSeconds: 634,
  fileSize: 10_157_893,
  expiresAt: "2026-01-15T10:30:04.000Z",
  downloadUrl: `/api/conversions/${QUEUED_JOB.id}/file`,
};

const CANCELED_JOB: Job = { ...QUEUED_JOB, status: "canceled", batchId: BATCH_ID };

const PREVIEW: z.input<typeof PreviewAnswer> = {
  title: "Big Buck Bunny",
  thumbnail: null,
  durationSeconds: 634,
  estimates: {
    mp3: { quality: "128kbps", sizeBytes: 10_144_000, fits: true, note: null },
    mp4: { quality: "480p", sizeBytes: 45_400_000, fits: true, note: null },
  },
  tags: { title: "Big Buck Bunny", artist: "Blender", date: "2008-05-20", description: "An open movie." },
  details: {
    soundLanguages: ["en", "de"],
    chapters: [
      { title: "The meadow", startSeconds: 0 },
      { title: "Revenge", startSeconds: 301.5 },
    ],
    subtitles: [{ language: "en", isAutomatic: false }],
    sponsored: { count: 1, seconds: 12 },
  },
};

const LIST_PAGE: ListPage = {
  link: LIST_LINK,
  title: "Open movies",
  total: 2,
  isCut: false,
  offset: 0,
  entries: [
    { link: LINK, title: "Big Buck Bunny", durationSeconds: 634 },
    { link: OTHER_LINK, title: "[Private video]", durationSeconds: null, problem: "private" },
  ],
  next: null,
};

const USAGE: api.Usage = { month: "2026-01", totalConversions: 12, totalDataUsed: 148_230_112 };

const CONFIG: api.PublicConfig = {
  videoHosts: ["youtube.com", "youtu.be"],
  looksUpSponsored: true,
  tier: "free",
  signInAvailable: true,
  paymentAvailable: true,
  stripePublishableKey: "pk_live_example",
  stripeScriptUrl: null,
  sampleLinks: [],
  usualSeconds: 6.4,
};

const USER: api.User = {
  id: "5b0c8a4e-6f0d-4d6e-8a58-0d8a8f3c1d22",
  email: "ada@example.com",
  firstName: "Ada",
  tier: "pro",
  usage: USAGE,
  subscription: {
    plan: "yearly",
    status: "active",
    periodEndsAt: "2027-01-01T00:00:00.000Z",
    cancelsAtPeriodEnd: false,
    graceEndsAt: null,
  },
};

const TOKEN = {
  id: "9a1a0f6e-4a53-4d0b-a7f3-9f1de6d1c9a4",
  name: "Phone",
  scopes: ["read", "convert"],
  ending: "1b2c",
  createdAt: "2026-01-02T03:04:05.000Z",
  lastUsedAt: null,
} as const;

const JOB_MESSAGE: JobMessage = {
  id: `${QUEUED_JOB.id}.1`,
  type: "job.completed",
  createdAt: COMPLETED_JOB.updatedAt,
  job: COMPLETED_JOB,
};

const FAILED_MESSAGE: JobMessage = {
  ...JOB_MESSAGE,
  type: "job.failed",
  job: { ...QUEUED_JOB, status: "failed", error: { code: "private", message: SENTENCES.private } },
};

const TEST_MESSAGE: TestMessage = {
  id: "0d8a5f0e-71c3-4a1c-9d55-0a6c1d1f3b77",
  type: "test",
  createdAt: "2026-01-15T09:31:00.000Z",
};

const TEST_DELIVERY: WebhookDelivery = {
  ...TEST_MESSAGE,
  state: "delivered",
  tries: 1,
  status: 204,
  problem: null,
  nextTryAt: null,
};

const WEBHOOK: Webhook = {
  id: "4be1b7d0-3e0b-4a27-8a7c-5f6b0a3f9c11",
  url: "https://program.example/ended",
  createdAt: "2026-01-02T03:04:05.000Z",
  disabledReason: null,
  deliveries: [
    {
      id: JOB_MESSAGE.id,
      type: "job.completed",
      createdAt: COMPLETED_JOB.updatedAt,
      state: "waiting",
      tries: 2,
      status: 503,
      problem: null,
      nextTryAt: "2026-01-15T09:30:30.000Z",
    },
  ],
};

/** What webhooks get, by type. */
export const MESSAGES = { "job.completed": JOB_MESSAGE, "job.failed": FAILED_MESSAGE, test: TEST_MESSAGE } as const;

export const EXAMPLES = {
  createConversion: { youtubeUrl: LINK, format: "mp3" },
  createWithChoices: {
    part: { youtubeUrl: LINK, format: "mp4", choices: { part: { startSeconds: 30, endSeconds: 90 } } },
    subtitles: { youtubeUrl: LINK, format: "mp4", choices: { subtitles: { language: "en" } } },
    transcript: { youtubeUrl: LINK, format: "transcript", choices: { subtitles: { language: "en", as: "vtt" } } },
    soundLanguage: { youtubeUrl: LINK, format: "mp3", choices: { soundLanguage: "de" } },
    tags: {
      youtubeUrl: LINK,
      format: "mp3",
      choices: {
        tags: { title: "Rabbit", artist: "Blender", album: "", date: "2008-05-20", description: "An open movie." },
      },
    },
    chapterFiles: { youtubeUrl: LINK, format: "mp3", choices: { chapterFiles: true } },
    sponsored: { youtubeUrl: LINK, format: "mp3", choices: { sponsored: "cut" } },
  },
  jobs: [COMPLETED_JOB],
  previewRequest: { youtubeUrl: LINK },
  preview: PREVIEW,
  listRequest: { youtubeUrl: LIST_LINK, offset: 0 },
  listPage: LIST_PAGE,
  createSelection: { title: LIST_PAGE.title, urls: [LINK, OTHER_LINK], format: "mp3" },
  selection: {
    batchId: BATCH_ID,
    total: 1,
    jobs: [{ ...QUEUED_JOB, batchId: BATCH_ID, batchTitle: LIST_PAGE.title, batchTotal: 1, batchPosition: 0 }],
    refused: [],
  },
  createBatch: { urls: [LINK, "cats"], format: "mp3" },
  batch: {
    batchId: BATCH_ID,
    jobs: [{ ...QUEUED_JOB, batchId: BATCH_ID }],
    refused: [{ line: 2, url: "cats", code: "invalid_link", message: "Please enter a valid YouTube URL" }],
  },
  canceledJobs: { jobs: [CANCELED_JOB] },
  retriedJobs: { jobs: [{ ...QUEUED_JOB, batchId: BATCH_ID, attempt: 2 }] },
  deviceInfo: { deviceId: "1c9d7a10-52a1-4f0e-8d43-9a5f2b7c6e01", authenticated: false, userId: null },
  config: CONFIG,
  siteStatus: { failing: [{ site: "youtube", reason: "refusing" }] },
  usage: USAGE,
  user: USER,
  tokens: { tokens: [TOKEN] },
  createToken: { name: "Phone", scopes: ["read", "convert"] },
  createdToken: { ...TOKEN, secret: "tapedeck_made-of-random-characters-43-of-them-a1b2c" },
  webhooks: { webhooks: [WEBHOOK] },
  webhook: WEBHOOK,
  createWebhook: { url: WEBHOOK.url },
  createdWebhook: { ...WEBHOOK, deliveries: [], secret: "tapedeck_webhook_made-of-random-characters-43-of-them" },
  testDelivery: TEST_DELIVERY,
  deleteAccount: { confirmation: DELETE_ACCOUNT_PHRASE },
  createSubscription: { plan: "yearly" },
  subscriptionSecret: { clientSecret: "pi_example_secret_example", isSetupIntent: false },
  billingPortal: { url: "https://billing.example/session" },
  contactMessage: {
    firstName: "Ada",
    lastName: "Lovelace",
    email: "ada@example.com",
    subject: "technical",
    message: "The file does not play on my old player.",
  },
  contactAnswer: { sent: true },
  done: { success: true },
  received: { received: true },
} as const;
