import { expect, it } from "vitest";
import { saveFile } from "./save-file.ts";

const FILE = { url: "https://tapedeck.example/api/conversions/1/file", token: "tapedeck_secret" };
const ASKED = { url: FILE.url, headers: [{ name: "Authorization", value: "Bearer tapedeck_secret" }] };

/** @returns what the browser was asked to download @param refuses whether it refuses a name */
async function asked(disposition: string | null, refuses: (name: string) => boolean = () => false): Promise<unknown[]> {
  const calls: unknown[] = [];
  const downloads = {
    download(options: { readonly filename?: string }) {
      calls.push(options);
      const isRefused = options.filename !== undefined && refuses(options.filename);
      return isRefused ? Promise.reject(new Error("filename must not contain illegal characters")) : Promise.resolve(1);
    },
  };
  await saveFile(downloads, FILE, new Headers(disposition === null ? {} : { "content-disposition": disposition }));
  return calls;
}

it.each([
  ['attachment; filename="Rain on a tin roof.mp3"', "Rain on a tin roof.mp3"],
  [`attachment; filename="Caf_.mp3"; filename*=UTF-8''Caf%C3%A9%20%E2%98%95.mp3`, "Café ☕.mp3"],
])("gives the file the name of %s", async (disposition, filename) => {
  expect(await asked(disposition)).toEqual([{ ...ASKED, filename }]);
});

it("leaves the name to the browser where the server gives none", async () => {
  expect(await asked(null)).toEqual([ASKED]);
});

it("leaves the name to the browser where it refuses the server's", async () => {
  const filename = "a~b.mp3";
  expect(await asked(`attachment; filename="${filename}"`, (name) => name === filename)).toEqual([
    { ...ASKED, filename },
    ASKED,
  ]);
});
