import { expect, it } from "vitest";
import { Registry } from "prom-client";
import { ConversionError } from "../../../common/errors.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { newViewer, openTestDomain } from "../../dev/testing/test-domain.ts";
import { startTestServer, type TestServer } from "../../dev/testing/test-server.ts";
import { untilAborted } from "../../dev/testing/until-aborted.ts";
import { createConversion } from "../../domain/jobs/add-jobs.ts";
import type { Runtime } from "../runtime.ts";
import { createMetrics } from "./metrics.ts";

const TOKEN = "a-token-for-monitoring";

/** Replaces the pipeline. The path of the link decides how the conversion ends. */
const convert: Runtime["convert"] = async (request, listener, signal) => {
  if (request.url.includes("stalled")) await untilAborted(signal);
  if (request.url.includes("gone")) throw new ConversionError("unavailable");
  return convertWithoutTools(request, listener, signal);
};

const options = { hasExtractor: false, METRICS_TOKEN: TOKEN, WORKER_CONCURRENCY: "1" } as const;
const server = await ofFile(startTestServer(options, undefined, convert));

async function read(from: TestServer, token = TOKEN): Promise<{ status: number; figures: Map<string, number> }> {
  const answer = await fetch(`${from.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const lines = (await answer.text()).split("\n").filter((line) => /^tapedeck_|^process_/.test(line));
  return {
    status: answer.status,
    figures: new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
    ),
  };
}

it("reports the queue, running conversions, and ended jobs by outcome", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const done = await device.convert(server.site.urlOf("cello"));
  await live.untilStatus(done.id, "completed");
  const missing = await device.convert(server.site.urlOf("gone"));
  await live.untilStatus(missing.id, "failed");
  const stalled = await device.convert(server.site.urlOf("stalled-page"));
  await live.untilStatus(stalled.id, "pending");
  const waiting = await device.convert(server.site.urlOf("rain"));
  const { status, figures } = await read(server);
  expect(status).toBe(200);
  expect(Object.fromEntries(figures)).toMatchObject({
    'tapedeck_jobs_waiting{tier="free"}': 1,
    'tapedeck_jobs_waiting{tier="pro"}': 0,
    'tapedeck_jobs_running{tier="free"}': 1,
    'tapedeck_queue_age_seconds{tier="pro"}': 0,
    tapedeck_sockets: 1,
    tapedeck_conversions_running: 1,
    'tapedeck_jobs_ended_total{format="mp3",outcome="completed"}': 1,
    'tapedeck_jobs_ended_total{format="mp3",outcome="unavailable"}': 1,
  });
  expect(figures.get('tapedeck_queue_age_seconds{tier="free"}')).toBeGreaterThan(0);
  expect(figures.get('tapedeck_pushes_total{event="job"}')).toBeGreaterThanOrEqual(live.pushes.length);
  expect(figures.has("process_resident_memory_bytes")).toBe(true);
  expect(figures.has("tapedeck_redis_up")).toBe(false);
  for (const { id } of [waiting, stalled]) await device.call("DELETE", `/api/conversions/${id}`);
  await live.untilStatus(stalled.id, "canceled");
  expect((await read(server)).figures.get('tapedeck_jobs_ended_total{format="mp3",outcome="canceled"}')).toBe(2);
});

it("counts jobs that wait for their video site apart from those that wait for a worker", async () => {
  const domain = await openTestDomain();
  try {
    const metrics = createMetrics(domain.jobs, domain.bus, { during: (task) => task() }, new Registry());
    const queueFor = async (minutes: number, resumesInMinutes: number): Promise<void> => {
      const { _id } = await createConversion(domain, newViewer(), {
        youtubeUrl: "https://video.example/a",
        format: "mp3",
      });
      const at = (inMinutes: number): Date => new Date(Date.now() + inMinutes * 60_000);
      await domain.jobs.updateOne({ _id }, { updatedAt: at(-minutes), resumesAt: at(resumesInMinutes) });
    };
    await queueFor(120, 60);
    await queueFor(120, -10);
    const text = await metrics.render();
    expect(text).toContain('tapedeck_jobs_waiting{tier="free"} 1\n');
    expect(text).toContain('tapedeck_jobs_waiting_for_site{tier="free"} 1\n');
    const ageSeconds = Number(/^tapedeck_queue_age_seconds\{tier="free"\} (.*)$/m.exec(text)?.[1]);
    expect(ageSeconds).toBeGreaterThanOrEqual(600);
    expect(ageSeconds).toBeLessThan(7_200);
  } finally {
    await domain.close();
  }
});

it("answers 404 without the right token", async () => {
  for (const token of ["", "wrong", `${TOKEN}x`, TOKEN.slice(0, -1)])
    expect(await read(server, token)).toEqual({ status: 404, figures: new Map() });
  await using without = await startTestServer({ hasExtractor: false });
  expect((await read(without, "undefined")).status).toBe(404);
});
