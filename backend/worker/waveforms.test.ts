import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { ffmpegIn, lavfi } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { openTestPipeline } from "../dev/testing/test-pipeline.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import { WaveformMaker } from "./waveforms.ts";

const { pipeline, folder } = await ofFile(openTestPipeline());
const store = await openDiskStore(join(folder, "files"));
const parts = { pipeline, store, scratchFolder: join(folder, "scratch") };
const never = new AbortController().signal;

it("are read once for all who look at a file, which stays", async () => {
  await ffmpegIn(folder, ...lavfi("sine=d=2"), "sound.mp3");
  await store.put("a.1.mp3", join(folder, "sound.mp3"));
  const waveforms = new WaveformMaker(parts);
  const read = vi.spyOn(store, "read");
  const [one, other] = await Promise.all([waveforms.of("a.1.mp3", never), waveforms.of("a.1.mp3", never)]);
  expect(other).toEqual(one);
  expect(await waveforms.of("a.1.mp3", never)).toEqual(one);
  expect(read).toHaveBeenCalledOnce();
  expect(await store.stat("a.1.mp3")).not.toBeNull();
  await waveforms.stop();
});

it("say that there is none for a file that cannot be read, or not in time", async () => {
  await writeFile(join(folder, "text"), "no sound");
  await store.put("b.1.mp3", join(folder, "text"));
  const none = expect.objectContaining({ code: "unavailable_now", message: expect.stringContaining("without one") });
  await expect(new WaveformMaker(parts).of("b.1.mp3", never)).rejects.toThrow(none);
  const read = vi.spyOn(store, "read");
  await expect(new WaveformMaker({ ...parts, timeoutMs: 0 }).of("a.1.mp3", never)).rejects.toThrow(none);
  // Nobody has read it.
  expect(await read.mock.results.at(-1)?.value).toMatchObject({ destroyed: true });
  await expect(new WaveformMaker(parts).of("c.1.mp3", never)).rejects.toThrow("no longer here");
});

it("end with the caller and with the server", async () => {
  const waveforms = new WaveformMaker(parts);
  const caller = new AbortController();
  const asked = waveforms.of("a.1.mp3", caller.signal);
  caller.abort(new Error("left"));
  await expect(asked).rejects.toThrow("left");
  const stopped = waveforms.of("a.1.mp3", never);
  const stopping = waveforms.stop();
  await expect(stopped).rejects.toThrow("stopping");
  await stopping;
});
