/** Checks the compose file without running it: it must parse and name only things that exist. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig } from "../../config/config.ts";
import { VARIABLES } from "../../config/variables.ts";
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
});
const Compose = z.looseObject({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.unknown()) });
const { services, volumes } = Compose.parse(parse(text, { merge: true }));
const ours = Object.entries(services).filter(([, { image }]) => image.startsWith("tapedeck:"));

/** Fills in variables as compose does when the operator sets only the required ones. */
function filledIn(environment: Readonly<Record<string, string>>): Record<string, string> {
  const given: Record<string, string> = {
    PUBLIC_URL: "https://tapedeck.example",
    SESSION_KEYS: "k".repeat(32),
    S3_SECRET_ACCESS_KEY: "a-secret-of-storage",
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
    expect.arrayContaining(["balancer", "mongo-1", "mongo-2", "mongo-3", "redis", "minio"]),
  );
});

describe.each(ours)("%s", (_name, { environment, stop_grace_period: grace = "" }) => {
  it("gets only known variables", () => {
    expect(Object.keys(environment).filter((name) => !(name in VARIABLES))).toEqual([]);
  });

  it("starts with these variables, and its grace period covers the shutdown", () => {
    const config = readConfig({ NODE_ENV: "production", ...filledIn(environment) });
    expect(Number.parseInt(grace, 10) * 1_000).toBeGreaterThan(config.drainMs + config.settings.shutdown.timeoutMs);
  });
});

it("names only services and volumes that are defined", () => {
  const needed = Object.values(services).flatMap(({ depends_on: before }) => Object.keys(before));
  expect(needed.filter((name) => !(name in services))).toEqual([]);
  const mounted = Object.values(services).flatMap(({ volumes: mounts }) =>
    mounts.map((mount) => mount.split(":")[0] ?? ""),
  );
  expect(mounted.filter((name) => !name.startsWith(".") && !(name in volumes))).toEqual([]);
});

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
  expect(dockerfile).toMatch(/ARG YTDLP_VERSION=\d{4}\.\d+\.\d+/);
  expect(dockerfile).toContain("yt-dlp[default,curl-cffi]==${YTDLP_VERSION}");
  const variables = [...dockerfile.matchAll(/\b([A-Z][A-Z0-9_]+)=\S+/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "YTDLP_VERSION");
  expect(variables.filter((name) => !(name in VARIABLES))).toEqual([]);
});

it("explains every required variable of the compose file in the manual", () => {
  for (const [, name = ""] of text.matchAll(/\$\{(\w+):\?/g)) expect(manual).toContain(`\`${name}\``);
});
