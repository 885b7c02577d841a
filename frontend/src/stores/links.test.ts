import "./read-text.ts";
import { expect, it } from "vitest";
import { namesList } from "./links.ts";

const A = "https://youtu.be/aqz-KE-bpKQ";
const B = "https://www.youtube.com/watch?v=1";

it.each([
  [`${A}?list=PLaaaaaaaa`, true],
  [`${B}&list=PLaaaaaaaa`, true],
  ["youtu.be/aqz-KE-bpKQ?list=OLAK5uy_aaaa", true],
  ["https://music.youtube.com/watch?v=1&list=RDCLAK5uy_aaaa", true],
  [B, false],
  [`${B}&list=`, false],
  [`${B}&list=a%20b`, false],
  ["https://example.com/watch?v=1&list=PLaaaaaaaa", false],
  ["cats", false],
  // What only the visitor's own account has.
  [`${A}?list=WL`, false],
  [`${B}&list=WL`, false],
  [`${B}&list=RDaqz-KE-bpKQ&start_radio=1`, false],
])("namesList says of %j: %j", (link, isNamed) => expect(namesList(link)).toBe(isNamed));
