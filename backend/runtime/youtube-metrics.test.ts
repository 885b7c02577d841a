import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { addYouTubeMetrics } from "./youtube-metrics.ts";

it("shows attempts by client, exit and outcome, the time since the last good one, and resting exits", async () => {
  const registry = new Registry();
  const count = addYouTubeMetrics(registry, () => [
    { name: "one", isResting: true, refusalsInARow: 1, usedInLastHour: 2 },
    { name: "two", isResting: false, refusalsInARow: 0, usedInLastHour: 0 },
  ]);
  count({ client: "visionos", exit: "one", outcome: "site_blocked", seconds: 0.3 });
  count({ client: "default", exit: "one", outcome: "ok", seconds: 3 });
  count({ client: "default", exit: "one", outcome: "ok", seconds: 3 });
  const lines = (await registry.metrics()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'tapedeck_youtube_extractions_total{client="visionos",exit="one",outcome="site_blocked"} 1',
      'tapedeck_youtube_extractions_total{client="default",exit="one",outcome="ok"} 2',
      'tapedeck_youtube_extraction_seconds_bucket{le="0.5",client="visionos"} 1',
      'tapedeck_youtube_extraction_seconds_bucket{le="2",client="default"} 0',
      'tapedeck_youtube_extraction_seconds_bucket{le="4",client="default"} 2',
      'tapedeck_youtube_exit_resting{exit="one"} 1',
      'tapedeck_youtube_exit_resting{exit="two"} 0',
      expect.stringMatching(/^tapedeck_youtube_seconds_since_ok \d/),
    ]),
  );
});
