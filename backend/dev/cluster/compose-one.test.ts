/** Checks the compose file for one household without running it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig } from "../../config/config.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

const folder = join(REPOSITORY_ROOT, "docker");
const text = await readFile(join(folder, "one", "compose.yaml"), "utf8");
const Service = z.looseObject({
  image: z.string(),
  ports: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  networks: z.array(z.string()),
});
const { services, volumes, networks } = z
  .object({
    services: z.strictObject({ tapedeck: Service, mongo: Service }),
    volumes: z.record(z.string(), z.unknown()),
    networks: z.record(z.string(), z.unknown()),
  })
  .loose()
  .parse(parse(text));
const { tapedeck, mongo } = services;

it("needs no variable, and starts with what the file gives", () => {
  expect(text).not.toContain(":?");
  const config = readConfig({ NODE_ENV: "production", ...tapedeck.environment });
  expect(config).toMatchObject({ isSingleProcess: true, signIn: null, payment: null, s3: null });
});

it("opens one port, of the server", () => {
  expect([tapedeck.ports, mongo.ports]).toEqual([["3000:3000"], []]);
});

it("keeps the database in a network that only the server shares and that leads nowhere", () => {
  expect(mongo.networks).toEqual(["data"]);
  expect(tapedeck.networks).toEqual(["outgoing", "data"]);
  expect(networks).toEqual({ outgoing: null, data: { internal: true } });
});

it("has one volume for each, and gives neither a capability nor a new privilege", () => {
  expect([tapedeck.volumes, mongo.volumes]).toEqual([["data:/data"], ["mongo:/data/db"]]);
  expect(Object.keys(volumes)).toEqual(["data", "mongo"]);
  for (const { cap_drop: dropped, security_opt: options } of [tapedeck, mongo]) {
    expect(dropped).toEqual(["ALL"]);
    expect(options).toContain("no-new-privileges:true");
  }
});

it("takes the same database, filter of system calls and recipe as the file for several machines", async () => {
  const larger = await readFile(join(folder, "compose.yaml"), "utf8");
  expect(larger).toContain(`image: ${mongo.image}\n`);
  expect(tapedeck.security_opt).toContain("seccomp:../seccomp.json");
  expect(parse(text)).toHaveProperty("services.tapedeck.build", { context: "../..", dockerfile: "docker/Dockerfile" });
});
