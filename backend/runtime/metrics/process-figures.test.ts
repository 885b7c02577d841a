import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { createMetrics } from "./metrics.ts";

it("names the canaries that the yt-dlp in use cannot read, and a newer one that waits", async () => {
  const domain = await openTestDomain();
  try {
    const metrics = createMetrics(domain.jobs, domain.bus, { during: (task) => task() }, new Registry());
    expect((await metrics.readFigures()).extractor).toBeNull();
    metrics.watchExtractor({
      figures: () => ({ version: "2026.01.10", ageDays: 3 }),
      failureShare: () => 0.1,
      failingCanaries: () => Promise.resolve(["the sample page", "https://youtu.be/one"]),
      waitingRelease: () => Promise.resolve({ version: "2026.01.14", untilMs: 0, packages: ["new-one"] }),
    });
    expect((await metrics.readFigures()).extractor).toEqual({
      version: "2026.01.10",
      ageDays: 3,
      failingCanaries: 2,
      failingCanaryNames: ["the sample page", "https://youtu.be/one"],
      waiting: { version: "2026.01.14", until: "1970-01-01T00:00:00.000Z", packages: ["new-one"] },
      failureShare: 0.1,
    });
  } finally {
    await domain.close();
  }
});
