import { Registry } from "prom-client";
import { expect, it, vi } from "vitest";
import { createInProcessBus } from "../../domain/bus.ts";
import { addYouTubeMetrics } from "./youtube-metrics.ts";

it("shows attempts by client, exit and outcome, the time since the last good one, and paused exits", async () => {
  const registry = new Registry();
  const { countAttempt: count, countGiven } = addYouTubeMetrics(registry, createInProcessBus(), {
    readExits: () => [
      { name: "one", isPaused: true, refusalsInARow: 1 },
      { name: "two", isPaused: false, refusalsInARow: 0 },
    ],
    failingClients: new Set(["visionos"]),
  });
  count({ client: "visionos", exit: "one", outcome: "site_blocked", seconds: 0.3 });
  count({ client: "default", exit: "one", outcome: "ok", seconds: 3 });
  count({ client: "default", exit: "one", outcome: "ok", seconds: 3 });
  countGiven("default", { formats: 20, captions: "given" });
  countGiven("default", { formats: 1, captions: "withheld" });
  const lines = (await registry.metrics()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'tapedeck_youtube_extractions_total{client="visionos",exit="one",outcome="site_blocked"} 1',
      'tapedeck_youtube_extractions_total{client="default",exit="one",outcome="ok"} 2',
      'tapedeck_youtube_extraction_seconds_bucket{le="0.5",client="visionos"} 1',
      'tapedeck_youtube_extraction_seconds_bucket{le="2",client="default"} 0',
      'tapedeck_youtube_extraction_seconds_bucket{le="4",client="default"} 2',
      'tapedeck_youtube_formats_total{client="default"} 21',
      'tapedeck_youtube_captions_total{client="default",outcome="given"} 1',
      'tapedeck_youtube_captions_total{client="default",outcome="withheld"} 1',
      'tapedeck_youtube_client_asked_last{client="visionos"} 1',
      'tapedeck_youtube_client_asked_last{client="default"} 0',
      expect.stringMatching(/^tapedeck_youtube_client_last_video_timestamp_seconds\{client="default"\} \d{10}/),
      'tapedeck_youtube_exit_resting{exit="one"} 1',
      'tapedeck_youtube_exit_resting{exit="two"} 0',
      expect.stringMatching(/^tapedeck_youtube_seconds_since_ok \d/),
    ]),
  );
});

it("shows the time since the last new file from YouTube", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const bus = createInProcessBus();
  const registry = new Registry();
  addYouTubeMetrics(registry, bus, { readExits: () => [], failingClients: new Set() });
  const seconds = async () =>
    Number(/^tapedeck_youtube_seconds_since_converted (.*)$/m.exec(await registry.metrics())?.[1]);
  const end = async (outcome: "completed" | "site_blocked", isNewFromYouTube: boolean) => {
    bus.publish("job:ended", { format: "mp3", outcome, isNewFromYouTube });
    await new Promise((resolve) => setImmediate(resolve));
  };
  vi.setSystemTime(Date.now() + 60_000);
  await end("completed", false);
  await end("site_blocked", true);
  expect(await seconds()).toBe(60);
  await end("completed", true);
  expect(await seconds()).toBe(0);
  vi.useRealTimers();
});
