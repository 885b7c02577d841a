/** Starts the server once for all browser tests, with its own data folder, and stops it at the end. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownPort } from "../../backend/dev/own-port.ts";
import { linkSharedFolders } from "../../backend/dev/product/data-folder.ts";
import { startProduct } from "../../backend/dev/product/product.ts";
import { readDatabaseAddress } from "../../backend/runtime/database-address.ts";
import { repositoryDataDir } from "../../backend/dev/repository.ts";
import {
  ageSessions,
  expireSessions,
  makeLooksDue,
  makeOperator,
  setTier,
} from "../../backend/dev/testing/change-accounts.ts";
import { PATIENT_SETTINGS } from "../../backend/dev/testing/patient-settings.ts";
import { prepareToolsOfCheckout } from "../../backend/dev/setup/tools.ts";
import {
  standInSegment,
  startSponsorBlock,
  type SponsorBlockStandIn,
} from "../../backend/dev/stand-ins/sponsor-block.ts";
import { MARK, markedProcesses } from "../../backend/dev/test-run/left-behind.ts";
import { YouTubeSite } from "../../backend/dev/stand-ins/youtube-site/youtube-site.ts";
import { mailsWith, startMailServer } from "./mails.ts";
import type { SettingsOverrides } from "../../backend/config/settings.ts";

const ORIGIN_VARIABLE = "TAPEDECK_E2E_ORIGIN";
const DATA_VARIABLE = "TAPEDECK_E2E_DATA";
const MESSAGE_PORT_VARIABLE = "TAPEDECK_E2E_MESSAGE_PORT";

/** @returns the origin of the server of this run */
export function serverOrigin(): string {
  const origin = process.env[ORIGIN_VARIABLE];
  if (origin === undefined) throw new Error("the server has not been started");
  return origin;
}

/** @returns the port of this machine to which the server sends messages of webhooks; a test listens there */
export function messagePort(): number {
  return Number(process.env[MESSAGE_PORT_VARIABLE]);
}

async function databaseAddress(): Promise<string> {
  const address = await readDatabaseAddress(process.env[DATA_VARIABLE] ?? "");
  if (address === null) throw new Error("the server's database cannot be found");
  return address;
}

/** Changes a user's tier as `npm run grant-pro` and `npm run revoke-pro` do. */
export async function changeTier(email: string, tier: "pro" | "free"): Promise<void> {
  await setTier(await databaseAddress(), email, tier);
}

/** Makes a user an operator as `npm run grant-operator` does. */
export async function nameOperator(email: string): Promise<void> {
  await makeOperator(await databaseAddress(), email);
}

/** Makes all sessions of a user expire. */
export async function expireSessionsOf(email: string): Promise<void> {
  await expireSessions(await databaseAddress(), email);
}

/** Changes the sessions of a user as if they had begun and been used earlier. */
export async function ageSessionsOf(email: string, byMs: number): Promise<void> {
  await ageSessions(await databaseAddress(), email, byMs);
}

/** Lets the server look at all lists that a user follows, as if the last look were long ago. */
export async function lookAtFollowed(email: string): Promise<void> {
  await makeLooksDue(await databaseAddress(), email);
}

/** @returns the mails of the contact form that contain a text */
export async function sentMails(text: string): Promise<string[]> {
  return mailsWith(mailFolder(process.env[DATA_VARIABLE] ?? ""), text);
}

const mailFolder = (dataDir: string): string => path.join(dataDir, "mails");

/** Rate limit of the contact form per hour and browser in the tests. */
export const MESSAGES_PER_DEVICE = 8;

/** Rate limit of conversions per minute and browser in the tests. */
export const CREATE_PER_MINUTE_DEVICE = 60;

/** The contact addresses that the test server is configured with. */
export const SUPPORT_EMAIL = "help-desk@deck.example.org";
export const TAKEDOWN_EMAIL = "rights@deck.example.org";

/**
 * Starts a site that stands in for YouTube.
 * @returns variables with which the server reaches it instead of YouTube
 */
async function openYouTube(dataDir: string, ffmpegPath: string) {
  const site = await YouTubeSite.start({ dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined });
  const { proxyUrl } = await site.openExit("browser tests");
  const caFile = path.join(dataDir, "authorities.pem");
  const present = process.env["NODE_EXTRA_CA_CERTS"];
  await writeFile(caFile, `${present ? await readFile(present, "utf8") : ""}\n${site.certificate}`);
  return { site, environment: { YOUTUBE_EXITS: proxyUrl, NODE_EXTRA_CA_CERTS: caFile } };
}

/** The video of the stand-in for YouTube that has sponsored segments, with their starts and ends in seconds. */
export const SPONSORED_VIDEO = { id: "chapters-12", segments: [[2, 4.5] as const, [9, 10] as const] };

/** Starts a server that stands in for SponsorBlock. */
async function openSponsorBlock(): Promise<SponsorBlockStandIn> {
  const sponsorBlock = await startSponsorBlock();
  const segments = SPONSORED_VIDEO.segments.map((segment) => standInSegment({ segment, videoDuration: 12 }));
  sponsorBlock.videos.set(SPONSORED_VIDEO.id, segments);
  return sponsorBlock;
}

const SETTINGS: SettingsOverrides = {
  ...PATIENT_SETTINGS,
  domain: {
    // Most tests need a file and not its conversion.
    sharesFiles: true,
    retryBackoffMs: 100,
    activeJobs: { free: 1_000, pro: 1_000 },
    activeJobsPerNetwork: 10_000,
    leaseMs: 60_000,
  },
  worker: { followPollMs: 200 },
  realtime: { sessionCheckMs: 500, identifyMs: 60_000, pingTimeoutMs: 240_000 },
  // All tests have the same IP address.
  rates: {
    createPerDevice: { free: CREATE_PER_MINUTE_DEVICE, pro: 10_000 },
    createPerUser: { free: 10_000, pro: 10_000 },
    createPerAddress: { free: 10_000, pro: 10_000 },
    signInPerAddress: 10_000,
    previewPerDevice: 10_000,
    previewPerAddress: 10_000,
    fileLinkPerAddress: 10_000,
    contactPerDevice: MESSAGES_PER_DEVICE,
    contactPerNetwork: 10_000,
  },
  // The server makes few previews at a time, and tests delay some of them.
  previews: { pictureMs: 60_000 },
};

export default async function startServer(): Promise<() => Promise<void>> {
  const tools = await prepareToolsOfCheckout((line) => process.stdout.write(`${line}\n`));
  const dataDir = await linkSharedFolders(await mkdtemp(path.join(tmpdir(), "tapedeck-e2e-")));
  // A test listens there later.
  const forMessages = await ownPort();
  const youtube = await openYouTube(dataDir, tools.ffmpegPath);
  const mailServer = await startMailServer(mailFolder(dataDir));
  const sponsorBlock = await openSponsorBlock();
  // Another run on this machine has browser tests, too.
  const mark = `browser tests ${process.pid}`;
  const server = await startProduct({
    dataDir,
    tools,
    settings: { ...SETTINGS, webhooks: { privateHosts: [`127.0.0.1:${forMessages}`] } },
    env: {
      [MARK]: mark,
      ...youtube.environment,
      YOUTUBE_SPONSORBLOCK_URL: sponsorBlock.address,
      // Many jobs are held back by tests and need no CPU.
      WORKER_CONCURRENCY: "8",
      PAYMENT_STAND_IN: "on",
      SUPPORT_EMAIL,
      TAKEDOWN_EMAIL,
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    },
    onOutput: (line) => process.stdout.write(`${line}\n`),
  });
  process.env[ORIGIN_VARIABLE] = server.origin;
  process.env[DATA_VARIABLE] = dataDir;
  process.env[MESSAGE_PORT_VARIABLE] = String(forMessages);
  return async () => {
    await server.stop();
    await youtube.site.stop();
    await mailServer[Symbol.asyncDispose]();
    await sponsorBlock[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
    const leftBehind = await markedProcesses(mark);
    if (leftBehind.length > 0) throw new Error(`the server left processes behind (PID NAME): ${leftBehind.join(", ")}`);
  };
}
