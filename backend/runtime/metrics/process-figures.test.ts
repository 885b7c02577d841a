import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { createMetrics } from "./metrics.ts";

it("names the canaries that the yt-dlp in use cannot read, a newer one that waits, and what is unknown of YouTube", async () => {
  const domain = await openTestDomain();
  try {
    const metrics = createMetrics(domain.jobs, domain.bus, { during: (task) => task() }, new Registry());
    expect(await metrics.readFigures()).toMatchObject({ extractor: null, youtube: null });
    const remarks = { unknownClients: ["tv_embedded"], unknownReasons: ["This video is on the moon"] };
    const { countAttempt, countGiven } = metrics.watchYouTube({
      readExits: () => [],
      failingClients: new Set(["visionos"]),
      remarks: () => remarks,
    });
    countAttempt({ client: "visionos", exit: "one", outcome: "site_changed", seconds: 1 });
    countAttempt({ client: "visionos", exit: "two", outcome: "site_changed", seconds: 1 });
    countAttempt({ client: "default", exit: "one", outcome: "ok", seconds: 1 });
    countAttempt({ client: "default", exit: "one", outcome: "ok", seconds: 1 });
    countGiven("default", { formats: 20, captions: "given" });
    countGiven("default", { formats: 1, captions: "withheld" });
    metrics.watchExtractor({
      figures: () => ({ version: "2026.01.10", ageDays: 3 }),
      failureShare: () => 0.1,
      failingCanaries: () => Promise.resolve(["the sample page", "https://youtu.be/one"]),
      heldBack: () => Promise.resolve({ cause: "index", version: "2026.01.10", words: "" }),
      waitingRelease: () => Promise.resolve({ version: "2026.01.14", untilMs: 0, packages: ["new-one"] }),
    });
    const { extractor, youtube } = await metrics.readFigures();
    const none = { videos: 0, formats: 0, withCaptions: 0, captionsWithheld: 0 };
    const refusals = [{ code: "site_changed", times: 2 }];
    const given = { videos: 2, formats: 21, withCaptions: 1, captionsWithheld: 1 };
    const lastVideoAt: unknown = expect.stringMatching(/^\d{4}-/);
    expect(youtube).toEqual({
      ...remarks,
      clients: [
        { name: "visionos", ...none, refusals, lastVideoAt: null, isAskedLast: true },
        { name: "default", ...given, refusals: [], lastVideoAt, isAskedLast: false },
      ],
    });
    expect(extractor).toEqual({
      version: "2026.01.10",
      ageDays: 3,
      heldBack: { cause: "index", version: "2026.01.10", words: "" },
      failingCanaries: 2,
      failingCanaryNames: ["the sample page", "https://youtu.be/one"],
      waiting: { version: "2026.01.14", until: "1970-01-01T00:00:00.000Z", packages: ["new-one"] },
      failureShare: 0.1,
    });
  } finally {
    await domain.close();
  }
});
