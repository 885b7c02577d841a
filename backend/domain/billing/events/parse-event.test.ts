import { expect, it } from "vitest";
import { parseEvent } from "./parse-event.ts";

it.each([
  ["no JSON", "{"],
  ["no id", `{"type":"invoice.paid"}`],
  ["an empty id", `{"id":"","type":"invoice.paid"}`],
  ["no type", `{"id":"evt_1"}`],
  ["an empty type", `{"id":"evt_1","type":""}`],
  ["a type that is too long", JSON.stringify({ id: "evt_1", type: "a".repeat(256) })],
])("rejects a body with %s", (_, body) =>
  expect(() => parseEvent(body)).toThrow(expect.objectContaining({ code: "bad_request" })),
);

it("reads an event without an object", () =>
  expect(parseEvent(`{"id":"evt_1","type":"invoice.paid"}`)).toMatchObject({ id: "evt_1", type: "invoice.paid" }));
