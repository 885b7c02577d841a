import { expect, it } from "vitest";
import { EMPTY, checkDraft } from "./check.ts";

const COMPLETE = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.org",
  subject: "bug",
  message: "It hums.",
};

it("requires every field", () => {
  expect(checkDraft(EMPTY)).toEqual({
    firstName: "firstName",
    lastName: "lastName",
    email: "email",
    subject: "subject",
    message: "message",
  });
});

it("accepts a complete message", () => expect(checkDraft(COMPLETE)).toEqual({}));

it.each(["firstName", "lastName", "message"] as const)("rejects a blank %s", (field) => {
  expect(checkDraft({ ...COMPLETE, [field]: " \n " })).toEqual({ [field]: field });
});

it.each(["ada", "ada@", "@example.org", "ada@example", "a da@example.org"])("rejects the email address %s", (email) => {
  expect(checkDraft({ ...COMPLETE, email })).toEqual({ email: "emailFormat" });
});

it("accepts an email address with spaces around it", () => {
  expect(checkDraft({ ...COMPLETE, email: " ada@example.org " })).toEqual({});
});

it("rejects an unknown subject", () =>
  expect(checkDraft({ ...COMPLETE, subject: "love" })).toEqual({ subject: "subject" }));

it("tells a message that is too long from a missing one", () => {
  expect(checkDraft({ ...COMPLETE, message: "x".repeat(5_000) })).toEqual({});
  expect(checkDraft({ ...COMPLETE, message: "x".repeat(5_001) })).toEqual({ message: "messageLength" });
});

it("rejects a line break in a name", () => {
  expect(checkDraft({ ...COMPLETE, firstName: "Ada\nBcc: x" })).toEqual({ firstName: "firstName" });
});
