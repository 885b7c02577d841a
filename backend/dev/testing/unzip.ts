/** Unpacks an archive with Python, which checks every file's sum. */
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);

const SCRIPT = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
entries = archive.infolist()
for number, entry in enumerate(entries):
    with open(f"{sys.argv[2]}/{number}", "wb") as file:
        file.write(archive.read(entry))
print(json.dumps([[entry.filename, entry.compress_type] for entry in entries]))
`;

export interface UnpackedFile {
  readonly name: string;
  /** Where it is unpacked. The name of an entry is not used for that. */
  readonly path: string;
  readonly isCompressed: boolean;
}

/** @returns the files of the archive, in its order @param folder for the files */
export async function unzip(archivePath: string, folder: string): Promise<UnpackedFile[]> {
  const { stdout } = await run("python3", ["-c", SCRIPT, archivePath, folder]);
  const entries = z.array(z.tuple([z.string(), z.number()])).parse(JSON.parse(stdout));
  return entries.map(([name, method], index) => ({
    name,
    path: join(folder, String(index)),
    isCompressed: method !== 0,
  }));
}

/** @returns the names of the files in an archive that a server answers with @param folder for the files */
export async function namesInZip(answer: Response, folder: string): Promise<string[]> {
  const own = await mkdtemp(join(folder, "zip-"));
  const archive = join(own, "all.zip");
  await writeFile(archive, Buffer.from(await answer.arrayBuffer()));
  return (await unzip(archive, own)).map(({ name }) => name);
}
