/** The keys that `.github/SECURITY.md` lists, and the checksums that `.github/ASVS.md` speaks of. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { VARIABLES } from "../../config/variables.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

const read = (path: string) => readFile(join(REPOSITORY_ROOT, path), "utf8");

it("lists every key that an operator sets, and no other variable", async () => {
  const [, section = ""] = /^### Keys\n([^#]*)/m.exec(await read(".github/SECURITY.md")) ?? [];
  const listed = [...section.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = ""]) => name);
  const compose = await read("docker/compose.yaml");
  const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name);
  const known = new Set([...Object.keys(VARIABLES), ...required]);
  const secrets = Object.entries(VARIABLES).flatMap(([name, { isSecret }]) => (isSecret === true ? name : []));
  const wanted = [...secrets, ...required.filter((name) => name !== "PUBLIC_URL")];
  expect(wanted.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !known.has(name) && !name.startsWith("OTEL_"))).toEqual([]);
});

it("knows a checksum of every package that is installed", async () => {
  const Lock = z.object({ packages: z.record(z.string(), z.looseObject({ integrity: z.string().default("") })) });
  const { packages } = Lock.parse(JSON.parse(await read("package-lock.json")));
  const fetched = Object.entries(packages).filter(([path]) => path !== "");
  expect(fetched.length).toBeGreaterThan(500);
  expect(fetched.filter(([, { integrity }]) => !integrity.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
});
