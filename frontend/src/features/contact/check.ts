import { ContactMessage, MAX_MESSAGE_LENGTH } from "../../../../common/contact-message.ts";

/** All fields, in the order of the form. */
export const FIELDS = ["firstName", "lastName", "email", "subject", "message"] as const;
export type Field = (typeof FIELDS)[number];
export type Draft = Readonly<Record<Field, string>>;

export const EMPTY: Draft = { firstName: "", lastName: "", email: "", subject: "", message: "" };

/** `emailFormat` for an email address that is present but invalid, `messageLength` for a message that is too long. */
export type Problem = Field | "emailFormat" | "messageLength";

function problemOf(field: Field, draft: Draft): Problem {
  const length = draft[field].trim().length;
  if (field === "email" && length > 0) return "emailFormat";
  return field === "message" && length > MAX_MESSAGE_LENGTH ? "messageLength" : field;
}

/** Validates the contact form as the server does. @returns the problem of each invalid field */
export function checkDraft(draft: Draft): Partial<Record<Field, Problem>> {
  const { shape } = ContactMessage;
  const invalid = FIELDS.filter((field) => !shape[field].safeParse(draft[field]).success);
  return Object.fromEntries(invalid.map((field) => [field, problemOf(field, draft)]));
}
