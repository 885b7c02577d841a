/** Checks the compose file without running it: it must parse and name only things that exist. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig } from "../../config/config.ts";
import { VARIABLES } from "../../config/variables.ts";
import { LOCK_FILE, lockedNames } from "../../extractor/locked-packages.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

const text = await readFile(join(REPOSITORY_ROOT, "docker", "compose.yaml"), "utf8");
const caddyfile = await readFile(join(REPOSITORY_ROOT, "docker", "Caddyfile"), "utf8");
const dockerfile = await readFile(join(REPOSITORY_ROOT, "docker", "Dockerfile"), "utf8");
const manual = await readFile(join(REPOSITORY_ROOT, "docker", "README.md"), "utf8");

const Service = z.looseObject({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.looseObject({ condition: z.string() })).default({}),
  deploy: z.object({ replicas: z.number() }).optional(),
  stop_grace_period: z.string().optional(),
  networks: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  pids_limit: z.number().optional(),
  security_opt: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
});
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() }).nullable()),
});
const { services, volumes, networks } = Compose.parse(parse(text, { merge: true }));
const everyService = Object.entries(services);
const ours = everyService.filter(([, { image }]) => image.startsWith("tapedeck:"));
const running = ours.filter(([, { environment }]) => environment["ROLE"] !== undefined);

/** Fills in variables as compose does when the operator sets only the required ones. */
function filledIn(environment: Readonly<Record<string, string>>): Record<string, string> {
  const given: Record<string, string> = {
    PUBLIC_URL: "https://tapedeck.example",
    SESSION_KEYS: "k".repeat(32),
    S3_SECRET_ACCESS_KEY: "a-secret-of-storage",
    MONGODB_PASSWORD: "a-password-of-mongodb",
    REDIS_PASSWORD: "a-password-of-redis",
  };
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
        (_all, key: string, kind?: string, rest?: string) => given[key] ?? (kind === "-" ? (rest ?? "") : ""),
      ),
    ]),
  );
}

it("has two web and two worker processes and the services that they use", () => {
  const roles = ours.flatMap(([, { environment, deploy }]) =>
    Array.from({ length: deploy?.replicas ?? 1 }, () => environment["ROLE"]),
  );
  expect(roles.filter((role) => role !== undefined).toSorted()).toEqual(["web", "web", "worker", "worker"]);
  expect(Object.keys(services)).toEqual(
    expect.arrayContaining(["balancer", "mongo-1", "mongo-2", "mongo-3", "redis", "storage"]),
  );
});

it.each(ours)("gives %s only known variables", (_name, { environment }) => {
  expect(Object.keys(environment).filter((name) => !(name in VARIABLES))).toEqual([]);
});

/** Variables that an operator of the compose file does not set. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  NODE_ENV: "the image sets it",
  DATA_DIR: "the image sets it",
  PORT: "the balancer knows it",
  HOST: "all addresses, in production",
  EMBEDDED_DB: "in development only",
  PAYMENT_STAND_IN: "in development only",
  S3_REGION: "versitygw needs none",
  S3_FORCE_PATH_STYLE: "the default is what versitygw needs",
  S3_PREFIX: "the bucket has nothing else",
  S3_DOWNLOADS: "browsers do not reach the storage",
  S3_PUBLIC_ENDPOINT: "browsers do not reach the storage",
  REDIS_PREFIX: "nothing else uses this Redis",
  SHARED_DISK: "files are in the storage",
  YTDLP_PATH: "the image has the program",
  FFMPEG_PATH: "the image has the program",
};

it("passes every other variable to a process", () => {
  const passed = new Set(running.flatMap(([, { environment }]) => Object.keys(environment)));
  const missing = Object.keys(VARIABLES).filter((name) => !passed.has(name));
  expect(missing.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted());
});

it("names in the manual what the operator sets, and nothing else", () => {
  const settable = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
  const [, table = ""] = /\n\| Variable \| What for \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(manual) ?? [];
  const first = table.split("\n").map((row) => row.split(" | ")[0] ?? "");
  const named = first.flatMap((cell) => [...cell.matchAll(/`([A-Z\d_]+)`/g)].map(([, name = ""]) => name));
  // The table of the server's variables, to which this one refers, is compared in config.test.ts.
  const known = new Set([...named, ...Object.keys(VARIABLES)]);
  expect([...settable].filter((name) => !known.has(name))).toEqual([]);
  expect(named.filter((name) => !settable.has(name))).toEqual([]);
  expect(table).toContain("See `backend/README.md`");
});

describe.each(running)("%s", (_name, { environment, stop_grace_period: grace = "" }) => {
  it("gets every variable about YouTube that the operator sets", () => {
    const about = Object.keys(VARIABLES).filter((name) => name.startsWith("YOUTUBE_"));
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(about));
  });

  it("starts with these variables, and its grace period covers the shutdown", () => {
    const config = readConfig({ NODE_ENV: "production", ...filledIn(environment) });
    expect(Number.parseInt(grace, 10) * 1_000).toBeGreaterThan(config.drainMs + config.settings.shutdown.timeoutMs);
  });
});

it("gives each role only the secrets that it uses", () => {
  const secrets = (name: string): string[] =>
    Object.entries(VARIABLES).flatMap(([variable, { isSecret }]) =>
      isSecret === true && services[name]?.environment[variable] !== undefined ? variable : [],
    );
  const shared = ["METRICS_TOKEN", "MONGODB_URI", "REDIS_URL", "S3_SECRET_ACCESS_KEY", "YOUTUBE_EXITS"];
  const ofSite = [
    "OIDC_CLIENT_SECRET",
    "SESSION_KEYS",
    "SMTP_URL",
    "STRIPE_PUBLISHABLE_KEY",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
  ];
  expect(secrets("worker").toSorted()).toEqual(shared);
  expect(secrets("migrate")).toEqual(["MONGODB_URI"]);
  for (const name of ["web-1", "web-2"]) expect(secrets(name).toSorted()).toEqual([...shared, ...ofSite].toSorted());
  // Nobody but the balancer gets requests from outside, and it knows none of the secrets.
  expect(Object.keys(services["balancer"]?.environment ?? {})).toEqual(["SITE_ADDRESS", "WEB_UPSTREAMS"]);
});

it("gives no secret a default", () => {
  const defaults = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|TOKEN|KEYS?)\w*):-([^}]+)\}/g)].map(
    ([, name]) => name,
  );
  // The name of a user of the storage.
  expect(defaults.filter((name) => name !== "S3_ACCESS_KEY_ID")).toEqual([]);
  for (const variable of ["SESSION_KEYS", "MONGODB_PASSWORD", "REDIS_PASSWORD", "S3_SECRET_ACCESS_KEY"])
    expect(text).toContain(`\${${variable}:?`);
});

it("runs as in production, and leaves versions and ciphers of TLS to Caddy's defaults", () => {
  expect(dockerfile).toContain("ENV NODE_ENV=production ");
  for (const [, { environment }] of ours) expect(environment["NODE_ENV"]).toBeUndefined();
  expect(caddyfile).toContain("{$SITE_ADDRESS:localhost} {");
  expect(caddyfile).not.toMatch(/\btls\b|http:\/\/|auto_https|insecure/);
});

it("keeps the services with data away from the internet and from the balancer", () => {
  for (const name of ["web-data", "worker-data"]) expect(networks[name]).toEqual({ internal: true });
  for (const name of ["mongo-1", "mongo-2", "mongo-3", "redis", "storage", "storage-init", "migrate"])
    for (const network of services[name]?.networks ?? ["none"]) expect(network).toMatch(/^(?:web|worker)-data$/);
  expect(services["balancer"]?.networks).toEqual(["edge"]);
  expect(services["worker"]?.networks).toEqual(["outgoing", "worker-data"]);
});

// A web process believes whoever reaches it without the balancer what X-Forwarded-For says.
it("lets nobody but the balancer and services with data share a network with the web processes", () => {
  const ofWeb = new Set(["web-1", "web-2"].flatMap((name) => services[name]?.networks ?? []));
  const others = everyService.filter(([, service]) => service.networks.some((network) => ofWeb.has(network)));
  const allowed = ["balancer", "migrate", "mongo-1", "mongo-2", "mongo-3", "redis", "storage", "storage-init"];
  expect(others.map(([name]) => name).toSorted()).toEqual([...allowed, "web-1", "web-2"].toSorted());
  for (const name of ["mongo-1", "mongo-2", "mongo-3", "redis", "storage"])
    expect(services[name]?.networks).toEqual(["web-data", "worker-data"]);
});

it("takes every capability from every service, and gives the balancer the one for its ports", () => {
  const dropped = everyService.map(([name, { cap_drop, cap_add }]) => ({ name, cap_drop, cap_add }));
  expect(dropped).toEqual(
    everyService.map(([name]) => ({
      name,
      cap_drop: ["ALL"],
      cap_add: name === "balancer" ? ["NET_BIND_SERVICE"] : [],
    })),
  );
});

it.each(everyService)("bounds memory and processes of %s, and gives it no new privileges", (_name, service) => {
  expect(service).toMatchObject({ mem_limit: expect.any(String), pids_limit: expect.any(Number) });
  expect(service.security_opt).toContain("no-new-privileges:true");
});

it("names foreign images by version and digest", () => {
  const foreign = everyService.map(([, { image }]) => image).filter((image) => !image.startsWith("tapedeck:"));
  const [, base = ""] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
  for (const image of [...foreign, base]) expect(image).toMatch(/^[a-z./]+:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/);
});

it("names only services and volumes that are defined", () => {
  const needed = Object.values(services).flatMap(({ depends_on: before }) => Object.keys(before));
  expect(needed.filter((name) => !(name in services))).toEqual([]);
  const mounted = Object.values(services).flatMap(({ volumes: mounts }) =>
    mounts.map((mount) => mount.split(":")[0] ?? ""),
  );
  expect(mounted.filter((name) => !name.startsWith(".") && !(name in volumes))).toEqual([]);
});

it.each(["extractor", "youtube-players"])(
  "lets web processes and workers share the folder %s, which is theirs",
  (name) => {
    for (const [, { volumes: mounts }] of running) expect(mounts).toContain(`${name}:/data/${name}`);
    // A new volume gets the owner of the image's folder.
    expect(dockerfile).toMatch(new RegExp(`mkdir -p (?:/data/\\S+ )*/data/${name} `));
  },
);

it("has a balancer in front of the web processes and of nothing else", () => {
  const webs = ours.filter(([, { environment }]) => environment["ROLE"] === "web").map(([name]) => `${name}:3000`);
  // The default of WEB_UPSTREAMS, which every reverse_proxy uses.
  const [, list = ""] = /to \{\$WEB_UPSTREAMS:(.+)\}/.exec(caddyfile) ?? [];
  expect(list.split(" ").toSorted()).toEqual(webs.toSorted());
  expect(caddyfile.match(/reverse_proxy \{\n[^}]*import web\n/g)?.length).toBe(
    caddyfile.match(/reverse_proxy/g)?.length,
  );
});

it("pins the versions of fetched programs", () => {
  expect(dockerfile).toContain("--require-hashes --only-binary=:all: -r yt-dlp.lock");
  expect([...lockedNames()]).toEqual(expect.arrayContaining(["yt-dlp", "yt-dlp-ejs", "curl-cffi"]));
  // A requirement without a version or a hash would be free.
  for (const entry of readFileSync(LOCK_FILE, "utf8")
    .trim()
    .split(/\n(?=\S)/))
    expect(entry).toMatch(/^[\w.-]+==\S+ (?:;[^\\\n]+)?\\\n {4}--hash=sha256:[0-9a-f]{64}/);
  const variables = [...dockerfile.matchAll(/\b([A-Z][A-Z0-9_]+)=\S+/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "NODE_IMAGE");
  expect(variables.filter((name) => !(name in VARIABLES))).toEqual([]);
});

it("refuses no system call that bubblewrap needs to make a sandbox", async () => {
  const profile = z.object({
    defaultAction: z.literal("SCMP_ACT_ALLOW"),
    syscalls: z.array(z.looseObject({ names: z.array(z.string()), action: z.literal("SCMP_ACT_ERRNO") })),
  });
  const refused = profile.parse(JSON.parse(await readFile(join(REPOSITORY_ROOT, "docker", "seccomp.json"), "utf8")));
  const names = refused.syscalls.flatMap((rule) => rule.names);
  const needed = new Set(["clone", "mount", "pivot_root", "prctl", "seccomp", "setns", "umount2", "unshare"]);
  expect(names.filter((name) => needed.has(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(["bpf", "keyctl", "ptrace", "userfaultfd"]));
  expect(text).toContain('"seccomp:./seccomp.json"');
  expect(dockerfile).toContain("bubblewrap");
});

it("explains every required variable of the compose file in the manual", () => {
  for (const [, name = ""] of text.matchAll(/\$\{(\w+):\?/g)) expect(manual).toContain(`\`${name}\``);
});
