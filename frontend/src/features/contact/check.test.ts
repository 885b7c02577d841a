import { expect, it } from "vitest";
import { EMPTY, checkDraft } from "./check.ts";

const COMPLETE = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.org",
  subject: "bug",
  message: "It hums.",
};

it("asks for every field", () => {
  expect(checkDraft(EMPTY)).toEqual({
    firstName: "firstName",
    lastName: "lastName",
    email: "email",
    subject: "subject",
    message: "message",
  });
});

it("takes a complete message", () => expect(checkDraft(COMPLETE)).toEqual({}));

it.each(["firstName", "lastName", "message"] as const)("blanks are no %s", (field) => {
  expect(checkDraft({ ...COMPLETE, [field]: " \n " })).toEqual({ [field]: field });
});

it.each(["ada", "ada@", "@example.org", "ada@example", "a da@example.org"])("%s is no email address", (email) => {
  expect(checkDraft({ ...COMPLETE, email })).toEqual({ email: "emailFormat" });
});

it("an address may have blanks around it, as pasted ones have", () => {
  expect(checkDraft({ ...COMPLETE, email: " ada@example.org " })).toEqual({});
});

it("a subject is one of those offered", () =>
  expect(checkDraft({ ...COMPLETE, subject: "love" })).toEqual({ subject: "subject" }));
