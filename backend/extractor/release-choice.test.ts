import { expect, it } from "vitest";
import { noteOffer, reasonToWait, ripeRelease, type SeenRelease } from "./release-choice.ts";
import type { PackageSet } from "./releases.ts";

const release = (version: string, requests = "2.1"): PackageSet => ({
  version,
  packages: [
    { name: "yt-dlp", version, sha256: version },
    { name: "requests", version: requests, sha256: requests },
  ],
});
const rules = { waitMs: 10, names: new Set(["yt-dlp", "requests"]) };

it("installs the packages that it saw first, not newer ones that came while the release waited", () => {
  let seen: readonly SeenRelease[] = noteOffer([], release("2026.1.1", "2.1"), 0);
  seen = noteOffer(seen, release("2026.1.1", "2.2"), 9);
  expect(ripeRelease(seen, rules, 9)).toBeUndefined();
  expect(ripeRelease(seen, rules, 10)?.packages[1]?.version).toBe("2.1");
  expect(reasonToWait(seen, release("2026.1.1", "2.2"), rules, 10)).toBeNull();
  expect(ripeRelease(seen, rules, 19)?.packages[1]?.version).toBe("2.2");
});

it("forgets a release when the index withdraws one of its packages", () => {
  const seen = noteOffer(noteOffer([], release("2026.1.1", "2.2"), 0), release("2026.1.1", "2.1"), 5);
  expect(seen.map(({ seenAtMs }) => seenAtMs)).toEqual([5]);
});

it("takes files of the same version with other hashes for another release", () => {
  const other = {
    ...release("2026.1.1"),
    packages: release("2026.1.1").packages.map((one) => ({ ...one, sha256: "0" })),
  };
  expect(noteOffer(noteOffer([], release("2026.1.1"), 0), other, 5)).toHaveLength(2);
});
