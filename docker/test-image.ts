/**
 * `npm run test:image`: builds the image and runs it, on a Debian machine as root, without a container engine. It runs
 * as its own user with a read-only root and the variables of docker/one, converts a sample link to both formats, is
 * killed, starts again with the same keys, and stops on SIGTERM. The video site and the database run beside it: the one
 * that MONGODB_URI names, else the embedded one. Everything is made in DATA_DIR/image; the base image is kept there.
 */
import { copyFile, cp, mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { databaseUri, startEmbeddedDatabase } from "../backend/dev/database/embedded-database.ts";
import { isReady } from "../backend/dev/product/product.ts";
import { ServerProcess } from "../backend/dev/product/server-process.ts";
import type { Job } from "../common/job.ts";
import { createVisitor, type Visitor } from "../backend/dev/testing/visitor.ts";
import { PLANTED_SECRETS } from "../backend/dev/cluster/planted-secrets.ts";
import { ownPort } from "../backend/dev/own-port.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "../backend/dev/repository.ts";
import { canInstallPackages, installPackages } from "../backend/dev/setup/debian.ts";
import { runTool } from "../backend/dev/setup/run-tool.ts";
import { SetUpError } from "../backend/dev/setup/set-up-error.ts";
import { prepareTools } from "../backend/dev/setup/tools.ts";
import { startSampleSite } from "../backend/dev/stand-ins/sample-site/sample-site.ts";
import { findOnPath } from "../backend/runtime/find-program.ts";

/** Stands for the image that the Dockerfile starts from, which no package registry has. */
const BASE_IMAGE = "localhost/base-of-tapedeck-test";
const IMAGE = "tapedeck-test";
/** Of the base image. */
const DEBIAN = "trixie";
const PROGRAMS = ["buildah", "debootstrap"];
/** Debian's slim images have no such files, and install none. */
const LEFT_OUT_OF_SLIM_IMAGES = ["usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale"];
/** Of the user `node`, in the base image. */
const USER_ID = 1000;
/** Most that the image may weigh beyond its base. */
const MAX_ADDED_MB = 300;
const BYTES_PER_MB = 1_000_000;
const STOP_TIMEOUT_MS = 40_000;
const JOB_TIMEOUT_MS = 60_000;
/** Certificates that this machine adds to its clients; builds on it need them too. */
const CA_VARIABLES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE"];

const report = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = join(repositoryDataDir(), "image");

const buildah = (...args: string[]): Promise<string> =>
  runTool("buildah", ["--root", join(folder, "storage"), "--runroot", join(folder, "run"), ...args], { report });

async function prepare(): Promise<void> {
  if (!canInstallPackages()) throw new SetUpError("the image can be tested as root on Debian only");
  const missing = PROGRAMS.filter((program) => findOnPath(program) === undefined);
  if (missing.length > 0) await installPackages(missing, { report });
}

/** Makes an image like the one that the Dockerfile starts from: Debian, Node with npm, and the user `node`. */
async function makeBase(): Promise<void> {
  const done = join(folder, `base-${DEBIAN}-${process.versions.node}`);
  const root = join(folder, "base");
  if (!(await exists(done))) {
    report("Making the base image, once");
    await rm(root, { recursive: true, force: true });
    await runTool("debootstrap", ["--variant=minbase", "--include=ca-certificates", DEBIAN, root], { report });
    await copyFile(process.execPath, join(root, "usr/local/bin/node"));
    const npm = dirname(dirname(await realpath(findOnPath("npm") ?? "npm")));
    await cp(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
    await runTool("chroot", [root, "useradd", "--create-home", "--uid", String(USER_ID), "node"]);
    await removeAll(root, LEFT_OUT_OF_SLIM_IMAGES);
    await writeFile(join(root, "etc/dpkg/dpkg.cfg.d/slim"), LEFT_OUT_OF_SLIM_IMAGES.map(excludePath).join(""));
    await runTool("chroot", [root, "apt-get", "clean"]);
    await mkdir(done);
  }
  const container = (await buildah("from", "scratch")).trim();
  await buildah("add", "--quiet", container, root, "/");
  const certificates = CA_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : ["--env", `${name}=${value}`];
  });
  if (certificates.length > 0) {
    await buildah("add", "--quiet", container, "/etc/ssl/certs", "/etc/ssl/certs");
    await buildah("config", ...certificates, container);
  }
  await buildah("commit", "--quiet", "--rm", container, BASE_IMAGE);
}

const excludePath = (path: string): string => `path-exclude /${path}/*\n`;

async function removeAll(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(join(root, path), { recursive: true, force: true });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** @throws Error when a builder that obeys our `.dockerignore` lets a secret of an operator into an image */
async function checkContext(started: AsyncDisposableStack): Promise<void> {
  const context = join(folder, "context");
  const kept = ["backend/main.ts", "package.json"];
  await rm(context, { recursive: true, force: true });
  for (const path of [...PLANTED_SECRETS, ...kept]) {
    await mkdir(dirname(join(context, path)), { recursive: true });
    await writeFile(join(context, path), "planted");
  }
  await copyFile(join(REPOSITORY_ROOT, ".dockerignore"), join(context, ".dockerignore"));
  const recipe = join(folder, "context.dockerfile");
  await writeFile(recipe, "FROM scratch\nCOPY . /\n");
  await buildah("bud", "--layers=false", "--tag", `${IMAGE}-context`, "--file", recipe, context);
  const root = await mount(`${IMAGE}-context`, started);
  const files = (await readdir(root, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  if (files.toSorted().join() !== kept.join()) throw new Error(`the context of the build has ${files.join(", ")}`);
  report("The context of the build has no secret in it");
}

async function build(): Promise<void> {
  report("Building the image");
  const options = ["--isolation", "chroot", "--network", "host", "--pull-never", "--layers=false"];
  options.push("--build-arg", `NODE_IMAGE=${BASE_IMAGE}`);
  await buildah(
    "bud",
    ...options,
    "--tag",
    IMAGE,
    "--file",
    join(REPOSITORY_ROOT, "docker/Dockerfile"),
    REPOSITORY_ROOT,
  );
}

/** @returns the folder with the image's files, which are removed with `started` */
async function mount(image: string, started: AsyncDisposableStack): Promise<string> {
  const container = (await buildah("from", "--pull-never", image)).trim();
  started.defer(() => buildah("rm", container).then(() => undefined));
  return (await buildah("mount", container)).trim();
}

async function sizeMb(root: string): Promise<number> {
  const output = await runTool("du", ["--summarize", "--bytes", "--one-file-system", root]);
  return Number.parseInt(output, 10) / BYTES_PER_MB;
}

/** What conversions ask ffmpeg for, and what sites send; of the filters those that need a library. */
const PARTS = {
  filters: ["ass", "zscale"],
  encoders: ["aac", "flac", "libmp3lame", "libx264", "mjpeg", "mov_text", "pcm_s16le", "pcm_s24le"],
  decoders: [
    [
      "aac",
      "ac3",
      "alac",
      "amrnb",
      "dca",
      "eac3",
      "flac",
      "mp3float",
      "opus",
      "pcm_s16le",
      "truehd",
      "vorbis",
      "wmav2",
    ],
    ["gif", "h264", "hevc", "libdav1d", "mjpeg", "mpeg2video", "mpeg4", "png", "prores", "vc1", "vp8", "vp9", "webp"],
  ].flat(),
};

/** Besides them, what Python loads is looked at. */
const LINKED = "/usr/local/bin/node /usr/bin/bwrap /usr/local/bin/ff* /usr/bin/python3 /usr/bin/tini";

/** @throws Error when a program of the image lacks a library, or ffmpeg a part */
async function checkPrograms(root: string): Promise<void> {
  const inImage = (script: string): Promise<string> => runTool("chroot", [root, "sh", "-c", script]);
  const libraries = "$(find /opt/yt-dlp /usr/lib/python3.* -name '*.so')";
  const missing = (await inImage(`ldd ${LINKED} ${libraries} | grep 'not found' || true`)).trim().split("\n");
  for (const [kind, names] of Object.entries(PARTS)) {
    const listed = await inImage(`ffmpeg -hide_banner -${kind} | grep -E '^ \\S+ (${names.join("|")}) '`);
    missing.push(...names.filter((name) => !listed.includes(` ${name} `)).map((name) => `${kind}: ${name}`));
  }
  if (missing.some((line) => line !== "")) throw new Error(`the image lacks ${missing.join(", ")}`);
  const version = await inImage("ffprobe -version | head -n 1 | cut -d ' ' -f 1-3");
  report(`Programs have their libraries and parts: ${version.trim()}`);
}

/** @throws Error when ffmpeg does not take the LAME that was compiled for this processor */
async function checkEncoder(root: string): Promise<void> {
  const linker = await runTool("chroot", [root, "/lib64/ld-linux-x86-64.so.2", "--help"]);
  const libraries = await runTool("chroot", [root, "ldd", "/usr/local/bin/ffmpeg"]);
  const isSupported = linker.includes("x86-64-v3 (supported");
  if (isSupported !== /glibc-hwcaps\/x86-64-v3\/libmp3lame/.test(libraries))
    throw new Error(`ffmpeg has the wrong encoder for this processor:\n${libraries}`);
  report(isSupported ? "ffmpeg takes the LAME for x86-64-v3" : "ffmpeg takes Debian's LAME");
}

/**
 * Enters the image: its files become the root, which cannot be written to, with the folders and files that an engine
 * adds. The process stays the same, so that it gets the signals. Arguments: root, folder of /data, then the command.
 */
const ENTER_IMAGE = `set -e
mount --bind "$1" "$1"
cd "$1"
cp /etc/hosts /etc/resolv.conf etc/
mount --bind "$2" data
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o uid=${USER_ID} tmpfs home/node
mount -o remount,bind,ro "$1"
pivot_root . mnt
umount -l mnt
cd /app
shift 2
exec "$@"`;

/** Runs the image's own command as a container engine would: own user, read-only root, no privileges. */
function createContainer(root: string, port: number, env: Readonly<Record<string, string>>): ServerProcess {
  const enter = ["unshare", "--mount", "sh", "-c", ENTER_IMAGE, "sh", root, join(folder, "data")];
  const user = ["setpriv", `--reuid=${USER_ID}`, `--regid=${USER_ID}`, "--clear-groups", "--no-new-privs"];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = ["tini", "--", "node", "--max-semi-space-size=4", "--heap-growing-percent=50", "backend/main.ts"];
  return new ServerProcess({
    name: "image",
    command: ["env", "-i", ...variables, ...enter, ...user, "--bounding-set=-all", "--", ...command],
    ready: () => isReady(`http://127.0.0.1:${port}`),
    stopTimeoutMs: STOP_TIMEOUT_MS,
    report,
    onOutput: (line) => report(`  ${line}`),
  });
}

/** Kills the server as a kernel that lacks memory does; tini, which started it, ends with it. */
async function killServer(container: ServerProcess): Promise<void> {
  const server = await readFile(`/proc/${container.pid}/task/${container.pid}/children`, "utf8");
  process.kill(Number.parseInt(server, 10), "SIGKILL");
  await container.stop();
}

/** @returns the address of the database that the image uses */
async function startDatabase(dataDir: string, started: AsyncDisposableStack): Promise<string> {
  const given = process.env["MONGODB_URI"];
  if (given) return given;
  const database = await startEmbeddedDatabase({ dataDir: folder, toolsDir: join(dataDir, "tools"), report });
  started.defer(() => database.stop());
  return database.uri;
}

async function convertSample(visitor: Visitor, link: string): Promise<Job[]> {
  const jobs: Job[] = [];
  const tab = await visitor.openTab();
  try {
    for (const format of ["mp3", "mp4"] as const) {
      const { id } = await visitor.convert(link, format);
      const job = await tab.untilEnded(id, JOB_TIMEOUT_MS);
      if (job.status !== "completed") throw new Error(`${format}: the job is ${job.status}`);
      report(`${format}: ${await visitor.download(job)} bytes, "${job.title}"`);
      jobs.push(job);
    }
    return jobs;
  } finally {
    tab.close();
  }
}

async function run(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await prepare();
  await using started = new AsyncDisposableStack();
  await checkContext(started);
  await makeBase();
  await build();
  const root = await mount(IMAGE, started);
  const addedMb = (await sizeMb(root)) - (await sizeMb(join(folder, "base")));
  report(`The image weighs ${addedMb.toFixed(0)} MB beyond its base`);
  await checkPrograms(root);
  await checkEncoder(root);

  const dataDir = repositoryDataDir();
  const { ffmpegPath } = await prepareTools({ dataDir, ytDlpPath: undefined, ffmpegPath: undefined, report });
  const mongodbUri = databaseUri(await startDatabase(dataDir, started), "image");
  const site = await startSampleSite({ dataDir, ffmpegPath, report });
  started.defer(() => site.stop());
  const port = await ownPort();
  await mkdir(join(folder, "data"), { recursive: true });
  await runTool("chown", [`${USER_ID}:${USER_ID}`, join(folder, "data")]);
  const container = createContainer(root, port, {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    // tini is not the first process here, and has to collect ended ones all the same.
    TINI_SUBREAPER: "1",
    NODE_ENV: "production",
    DATA_DIR: "/data",
    FFMPEG_PATH: "/usr/local/bin/ffmpeg",
    PORT: String(port),
    MONGODB_URI: mongodbUri,
    VIDEO_HOSTS: site.host,
    YOUTUBE_EXTRACTOR_RELEASE: "off",
  });
  started.defer(() => container.stop());
  const startedAtMs = performance.now();
  await container.start();
  report(`Ready after ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`);
  const visitor = await createVisitor(`http://localhost:${port}`, { calls: 0, retried: 0, failed: [] });
  const jobs = await convertSample(visitor, site.urlOf("rain"));
  await killServer(container);
  await container.start();
  for (const job of jobs) await visitor.download(job);
  report("After kill -9 and a restart the same visitor has the same files");
  await container.stop();
  if (!container.output.some((line) => line.includes("stopping on SIGTERM")))
    throw new Error("the server did not stop on SIGTERM");
  if (addedMb > MAX_ADDED_MB) throw new Error(`the image may weigh ${MAX_ADDED_MB} MB beyond its base`);
  report("The image works");
}

await run();
