import { describe, expect, it } from "vitest";
import {
  ConversionError,
  ConversionErrorCode,
  ErrorBody,
  ErrorCode,
  RequestErrorCode,
  SENTENCES,
  UserError,
} from "./errors.ts";

const CODES = [...ConversionErrorCode.options, ...RequestErrorCode.options];

describe("error codes", () => {
  it.each(CODES)("%s has a sentence for users and is valid in an error body", (code) => {
    expect(ErrorCode.parse(code)).toBe(code);
    expect(SENTENCES[code]).toMatch(/^[A-Z].{10,}[.a-zA-Z]$/);
    // Users read this: no names of tools, no status codes.
    expect(SENTENCES[code]).not.toMatch(/yt-dlp|ffmpeg|undefined|exception|\b[45]\d\d\b/i);
    expect(ErrorBody.parse({ code, message: SENTENCES[code] })).toEqual({ code, message: SENTENCES[code] });
  });

  it("have different sentences", () => {
    expect(new Set(CODES.map((code) => SENTENCES[code])).size).toBe(CODES.length);
    expect(Object.keys(SENTENCES).sort()).toEqual([...CODES].sort());
  });
});

it("reads an unknown code of an error response as internal and keeps its message", () => {
  const body = { code: "code_of_a_newer_server", message: "All lines are busy." };
  expect(ErrorBody.parse(body)).toEqual({ ...body, code: "internal" });
  expect(ErrorBody.safeParse({ message: "Forbidden" }).success).toBe(false);
});

it.each(ConversionErrorCode.options)("marks %s as transient only if a retry may succeed", (code) => {
  expect(new ConversionError(code).isTransient).toBe(
    ["network", "timeout", "site_blocked", "site_changed"].includes(code),
  );
});

it("keeps code, sentence, log detail and cause in the error", () => {
  const cause = new Error("socket hang up");
  const error = new ConversionError("unavailable", { detail: "HTTP Error 410", cause, isTransient: true });
  expect(error).toMatchObject({
    name: "ConversionError",
    code: "unavailable",
    message: SENTENCES.unavailable,
    detail: "HTTP Error 410",
    cause,
    isTransient: true,
  });
  expect(new ConversionError("too_large", { message: "60 MB do not fit 50 MB." }).message).toBe(
    "60 MB do not fit 50 MB.",
  );
  expect(new UserError("conflict")).toMatchObject({ name: "UserError", code: "conflict", message: SENTENCES.conflict });
});
