import { expect, it } from "vitest";
import { ErrorCode, SENTENCES } from "../../../common/errors.ts";
import { ConversionChoices } from "../../../common/choices.ts";
import { JobMessage, TestMessage } from "../../../common/webhook-calls.ts";
import { CALLS } from "../routes/calls.ts";
import { CONVERSION_CALLS } from "../routes/conversion-calls.ts";
import type { Content } from "./call.ts";
import { MESSAGES } from "./messages.ts";
import { describeApi } from "./openapi-document.ts";

const text = JSON.stringify(describeApi("https://tapedeck.example", CALLS));

const contents = CALLS.flatMap(({ route, request, answers }) =>
  [request, ...Object.values(answers)]
    .filter((content): content is Content => content?.schema !== undefined)
    .flatMap(({ schema, example, moreExamples = {} }) =>
      [example, ...Object.values(moreExamples)].map((one) => [route, { schema, example: one }] as const),
    ),
);

it.each(contents)("%s has examples that its schemas accept", (_, { schema, example }) => {
  expect(schema.safeParse(example)).toMatchObject({ success: true });
});

it("defines every schema that it refers to, and no other", () => {
  const references = new Set(Array.from(text.matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name]) => String(name)));
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
  expect([...references].toSorted()).toEqual(Object.keys(components.schemas).toSorted());
});

it.each(Object.entries(MESSAGES))("has an example of the message %s that its schema accepts", (_, example) => {
  expect((example.type === "test" ? TestMessage : JobMessage).safeParse(example)).toMatchObject({ success: true });
});

it("has an id, a summary and an error answer for every call", () => {
  const document = JSON.parse(text) as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const calls = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(calls).toHaveLength(CALLS.length);
  expect(new Set(calls.map(({ operationId }) => operationId)).size).toBe(calls.length);
  for (const { summary, responses } of calls) {
    expect(summary).not.toBe("");
    expect(Object.keys(responses as object)).toEqual(expect.arrayContaining(["403", "500", "503"]));
  }
});

it("names every error code with its sentence", () => {
  const codes = ErrorCode.options.flatMap(({ options }) => [...options]);
  const missing = codes.filter((code) => !text.includes(JSON.stringify({ code, message: SENTENCES[code] })));
  expect(missing).toEqual([]);
});

it("shows every choice of a conversion in an example", () => {
  const { moreExamples } = CONVERSION_CALLS.create.request;
  const shown = Object.values(moreExamples).flatMap(({ choices }) => Object.keys(choices));
  expect(new Set(shown)).toEqual(new Set(Object.keys(ConversionChoices.shape)));
  for (const name of Object.keys(moreExamples)) expect(text).toContain(`"${name}":{"value":`);
});

it("lets a request leave out what has a default", () => {
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, { required?: string[] }> } };
  expect(components.schemas["CreateConversion"]?.required).toEqual(["youtubeUrl"]);
});

it("describes query parameters and headers by the schemas that judge them", () => {
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { parameters?: { in: string }[] }>> };
  const removal = paths["/api/conversions/{id}"]?.["delete"]?.parameters;
  expect(removal?.filter((parameter) => parameter.in === "query")).toEqual([
    {
      name: "while",
      in: "query",
      required: false,
      description: expect.stringContaining("Only cancel"),
      schema: { type: "string", const: "active" },
    },
  ]);
  const namesOf = (path: string, place: string) =>
    (paths[path]?.["get"]?.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map((parameter) => "name" in parameter && parameter.name);
  expect(namesOf("/api/events", "header")).toEqual(["Last-Event-ID"]);
  expect(namesOf("/api/conversions/{id}/file", "header")).toEqual(["Range", "If-Range", "If-Match", "If-None-Match"]);
  expect(namesOf("/api/login", "query")).toEqual(["fresh", "here"]);
  expect(namesOf("/api/sign-in/provider/callback", "query")).toEqual(["state", "code", "error"]);
  expect(text).toContain('"Content-Range":{"description"');
  // Of every described schema each field is in the document, with its words.
  for (const { query, headers } of CALLS)
    for (const field of Object.values({ ...query?.shape, ...headers?.shape }))
      expect(text).toContain(JSON.stringify(field.description));
});
