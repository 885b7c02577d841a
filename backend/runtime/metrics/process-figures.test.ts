import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { createMetrics } from "./metrics.ts";

it("names the canaries that the yt-dlp in use cannot read", async () => {
  const domain = await openTestDomain();
  try {
    const metrics = createMetrics(domain.jobs, domain.bus, { during: (task) => task() }, new Registry());
    expect((await metrics.readFigures()).extractor).toBeNull();
    metrics.watchExtractor({
      figures: () => ({ version: "2026.01.10", ageDays: 3 }),
      failureShare: () => 0.1,
      failingCanaries: () => Promise.resolve(["the sample page", "https://youtu.be/one"]),
    });
    expect((await metrics.readFigures()).extractor).toEqual({
      version: "2026.01.10",
      ageDays: 3,
      failingCanaries: 2,
      failingCanaryNames: ["the sample page", "https://youtu.be/one"],
      failureShare: 0.1,
    });
  } finally {
    await domain.close();
  }
});
