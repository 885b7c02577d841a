/** What a server that takes any host contacts, where every address of the internet answers and is watched. */
import { expect, it } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { PUBLIC_ADDRESS } from "./internet.ts";
import { askHostileLinks, whyNoOwnInternet } from "./run.ts";

/** Some 300 links are read, and the server is started for them. */
const TIMEOUT_MS = 900_000;

const REFUSALS: ReadonlySet<string> = new Set(["invalid_link", "playlist", "unavailable", "unsupported_host"]);

it(
  "refuses every hostile link and what leads to private addresses, contacts none, and converts what is public",
  { timeout: TIMEOUT_MS },
  async (context) => {
    const folder = await testFolder();
    const why = await whyNoOwnInternet(folder);
    if (why !== undefined) context.skip(why);
    const { seen, previews, conversions, good, contacts, hosts } = await askHostileLinks(folder);
    // A contact would have been seen.
    expect(seen).toEqual(expect.arrayContaining(["127.0.0.1:80", "10.0.0.1:80", "169.254.169.254:80", "::1:80"]));
    expect(contacts).toEqual([`${PUBLIC_ADDRESS}:80`]);
    expect(hosts).toEqual(expect.arrayContaining(["rebinding.example", "rebinding-to-metadata.example"]));
    expect(previews.length).toBeGreaterThanOrEqual(244);
    const isRefused = ([, outcome]: readonly [string, string]): boolean => REFUSALS.has(outcome);
    expect([...previews, ...conversions].filter((asked) => !isRefused(asked))).toEqual([]);
    expect(new Set(good.map(([, outcome]) => outcome))).toEqual(new Set(["completed"]));
  },
);
