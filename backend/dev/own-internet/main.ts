/**
 * Runs the product with `VIDEO_HOSTS=any` in a namespace whose internet is this machine (see run.ts), asks it for every
 * hostile link, and prints what became of them as JSON: an {@link OwnInternetReport}.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ErrorBody } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import { mergeSettings } from "../../config/settings.ts";
import { linkSharedFolders } from "../product/data-folder.ts";
import { startProduct } from "../product/product.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { HOSTILE_HOSTS, HOSTILE_LINKS, HOSTILE_WITH_ANY, NOT_PUBLIC } from "../testing/hostile-links.ts";
import { PATIENT_SETTINGS } from "../testing/patient-settings.ts";
import { openDevice, type TestDevice } from "../testing/test-device.ts";
import { FEW_VISITORS_LIMITS } from "../wide-limits.ts";
import { startOwnInternet } from "./internet.ts";
import type { OwnInternetReport } from "./run.ts";

const LINKS_AT_A_TIME = 6;

/** As hosts of addresses. */
const INSIDE_HOSTS: readonly string[] = [
  ...new Set([
    ...HOSTILE_HOSTS,
    ...NOT_PUBLIC.map(([, address]) => (address.includes(":") ? `[${address}]` : address)),
    "inside.example",
    "localhost",
  ]),
].filter((host) => host !== "");

const HOSTILE: readonly string[] = [
  ...new Set([
    ...HOSTILE_LINKS.map(([link]) => link),
    ...HOSTILE_WITH_ANY,
    ...INSIDE_HOSTS.flatMap((host) => [`http://${host}/film.mp4`, `https://${host}/film.mp4`, `http://${host}:8090/`]),
  ]),
];

const page = (link: string, to: string): string => `http://films.example/${link}?to=${encodeURIComponent(to)}`;

/** Pages of the public site that lead to a private address in each way. */
const LEADING: readonly string[] = [
  ...[...INSIDE_HOSTS.map((host) => `http://${host}/film.mp4`), "file:///etc/passwd"].map((to) => page("redirect", to)),
  ...["127.0.0.1", "169.254.169.254", "[::1]", "inside.example", "films.example:8443"]
    .map((host) => `http://${host}/film.mp4`)
    .flatMap((to) => [page("player", to), page("refresh", to), page("pieces.m3u8", to), page("variants.m3u8", to)]),
  "http://rebinding.example/player?to=/film.mp4",
  "http://rebinding-to-metadata.example/redirect?to=/film.mp4",
];

const GOOD: readonly string[] = [
  page("player", "/film.mp4"),
  page("redirect", "http://both.example/film.mp4"),
  page("poster", "http://169.254.169.254/picture.jpg"),
];

async function drawFilm(ffmpegPath: string, folder: string): Promise<Buffer> {
  const file = path.join(folder, "film.mp4");
  const drawn = "-v error -f lavfi -i testsrc2=s=320x180:d=3 -f lavfi -i sine=d=3 -c:v libx264 -pix_fmt yuv420p";
  await promisify(execFile)(ffmpegPath, [...drawn.split(" "), file]);
  return await readFile(file);
}

/** What every machine of this internet answers. */
function answerWith(film: Buffer) {
  return ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, "http://machine.example");
    const to = searchParams.get("to") ?? "";
    const html = (head: string, body: string): void =>
      void response
        .setHeader("content-type", "text/html")
        .end(`<!doctype html><html><head><title>A page</title>${head}</head><body>${body}</body></html>`);
    const playlist = (line: string): void =>
      void response.setHeader("content-type", "application/vnd.apple.mpegurl").end(`#EXTM3U\n${line}\n${to}\n`);
    if (pathname === "/redirect") response.writeHead(302, { location: to }).end();
    else if (pathname === "/player") html("", `<video src="${to}"></video>`);
    else if (pathname === "/poster") html("", `<video poster="${to}" src="/film.mp4"></video>`);
    else if (pathname === "/refresh") html(`<meta http-equiv="refresh" content="0;url=${to}">`, "");
    else if (pathname === "/pieces.m3u8") playlist("#EXT-X-TARGETDURATION:3\n#EXTINF:3,");
    else if (pathname === "/variants.m3u8") playlist("#EXT-X-STREAM-INF:BANDWIDTH=900000");
    else response.writeHead(200, { "content-type": "video/mp4", "content-length": film.length }).end(film);
  };
}

/** @returns `completed`, or the code with which the link was refused at once or failed */
async function convert(device: TestDevice, link: string): Promise<string> {
  const answer = await device.call("POST", "/api/conversions", { youtubeUrl: link, format: "mp4" });
  const body: unknown = await answer.json();
  if (answer.status !== 201) return ErrorBody.parse(body).code;
  const live = await device.live();
  const ended = await live.untilStatus(Job.parse(body).id, "completed", "failed");
  return ended.status === "failed" ? ended.error.code : ended.status;
}

async function preview(device: TestDevice, link: string): Promise<string> {
  const answer = await device.call("POST", "/api/preview", { youtubeUrl: link });
  const body: unknown = await answer.json();
  return answer.ok ? "completed" : ErrorBody.parse(body).code;
}

async function outcomesOf(links: readonly string[], ask: (link: string) => Promise<string>) {
  const outcomes: [string, string][] = [];
  const left = links.values();
  const workers = Array.from({ length: LINKS_AT_A_TIME }, async () => {
    for (const link of left) outcomes.push([link, await ask(link)]);
  });
  await Promise.all(workers);
  return outcomes;
}

/** Whether the machines inside can be reached by whoever may, so that a contact would be seen. */
async function contactInside(host: string): Promise<void> {
  const socket = connect(80, host);
  await once(socket, "connect");
  socket.destroy();
}

async function run(): Promise<OwnInternetReport> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), "tapedeck-own-internet-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const tools = await prepareToolsOfCheckout(() => undefined);
  const internet = opened.use(await startOwnInternet(answerWith(await drawFilm(tools.ffmpegPath, folder))));
  for (const host of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254", "inside.example"])
    await contactInside(host);
  const seen = [...internet.contacts];
  internet.contacts.clear();

  const server = await startProduct({
    dataDir: await linkSharedFolders(path.join(folder, "data")),
    tools,
    settings: mergeSettings(mergeSettings(FEW_VISITORS_LIMITS, PATIENT_SETTINGS), {
      domain: { ...FEW_VISITORS_LIMITS.domain, maxAttempts: 1 },
      rates: { ...FEW_VISITORS_LIMITS.rates, previewPerDevice: 1_000_000 },
    }),
    env: { VIDEO_HOSTS: "any", WORKER_CONCURRENCY: "4" },
    onOutput: (line) => process.stderr.write(`${line}\n`),
  });
  opened.defer(() => server.stop());
  const device = await openDevice(server.origin);
  opened.defer(() => device.close());
  const previews = await outcomesOf(HOSTILE, (link) => preview(device, link));
  const conversions = await outcomesOf([...HOSTILE, ...LEADING], (link) => convert(device, link));
  const good = await outcomesOf(GOOD, (link) => convert(device, link));
  return { seen, previews, conversions, good, contacts: [...internet.contacts], hosts: [...internet.hosts] };
}

process.stdout.write(JSON.stringify(await run()));
