import { join } from "node:path";
import { Writable } from "node:stream";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { feedFrom } from "./growing-feed.ts";

const folder = await testFolder();
let file: GrowingFile;
beforeEach(async () => {
  file = await GrowingFile.create(join(folder, "source"));
  // More than the buffers of a feed, so that the file is still read when a write fails.
  await file.write(Buffer.alloc(8_000_000), 0);
  await file.complete();
  return () => file[Symbol.asyncDispose]();
});

/** An input whose writes fail. */
const failing = (code: string) =>
  new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });

it.each(["EPIPE", "ECONNRESET", "ECANCELED"])(
  "ends without an error when the tool no longer reads its input: %s",
  async (code) => {
    await expect(feedFrom(file)(failing(code))).resolves.toBeUndefined();
  },
);

it("throws the error of the file's writer", async () => {
  file.fail(new Error("the site is gone"));
  await expect(feedFrom(file)(new Writable())).rejects.toThrow("the site is gone");
});
