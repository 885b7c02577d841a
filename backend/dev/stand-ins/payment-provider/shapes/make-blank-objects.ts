/** Makes the contents of blank-objects.json from the fixtures and the description of the API in stripe-mock. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { STRIPE_MOCK } from "../../../setup/go-programs.ts";
import { KINDS } from "../state.ts";

const Schema = z.object({
  $ref: z.string().optional(),
  nullable: z.boolean().optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
});
type Schema = z.infer<typeof Schema>;
const Description = z.object({ components: z.object({ schemas: z.record(z.string(), Schema) }) });
const Fixtures = z.object({ resources: z.record(z.string(), z.unknown()) });

/** Answers have these only when `expand` requests them. */
const ON_REQUEST = new Set(["confirmation_secret", "payments", "refunds"]);
const FIXED: { readonly [key: string]: unknown } = { livemode: false, metadata: {} };

/** @returns the fixtures of all kinds, with null where the API allows it, and with empty lists */
export async function makeBlankObjects(): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", STRIPE_MOCK.module]);
  const { Dir: folder } = z.object({ Dir: z.string() }).parse(JSON.parse(stdout));
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folder, "embedded", "openapi", name), "utf8"));
  const { schemas } = Description.parse(await read("spec3.json")).components;
  const { resources } = Fixtures.parse(await read("fixtures3.json"));
  const blank = (given: Schema | undefined, fixture: unknown): unknown => {
    if (given?.nullable === true) return null;
    const schema = given?.$ref === undefined ? given : schemas[given.$ref.slice(given.$ref.lastIndexOf("/") + 1)];
    if (Array.isArray(fixture)) return [];
    if (typeof fixture !== "object" || fixture === null) return fixture;
    return Object.fromEntries(
      Object.entries(fixture)
        .filter(([key]) => !ON_REQUEST.has(key) && (!schema?.properties || key in schema.properties))
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([key, value]) => [key, FIXED[key] ?? blank(schema?.properties?.[key], value)]),
    );
  };
  return Object.fromEntries(KINDS.map((kind) => [kind, blank(schemas[kind], resources[kind])]));
}
