/** Reads the collections of a backup. */
import { createReadStream } from "node:fs";
import mongoose from "mongoose";
import { pathsIn } from "./manifest.ts";
import { partFile } from "./part-file.ts";

/** Every document begins with its own length. */
const LENGTH_BYTES = 4;

/** @returns the documents one by one, with the types of numbers that the database stores */
export async function* readDocuments(backup: string, collection: string): AsyncGenerator<Record<string, unknown>> {
  let rest: Buffer = Buffer.alloc(0);
  const file = await partFile(backup, pathsIn(backup).collection(collection));
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    while (rest.length - start >= LENGTH_BYTES) {
      const end = start + rest.readInt32LE(start);
      if (end > rest.length) break;
      yield mongoose.mongo.BSON.deserialize(rest.subarray(start, end), { promoteValues: false });
      start = end;
    }
    rest = rest.subarray(start);
  }
}
