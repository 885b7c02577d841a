import { useRef, useState } from "react";
import type { FormEvent } from "react";
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from "../../../../common/contact-message.ts";
import { notify } from "../../client/toaster.ts";
import { useIsInPage } from "../../platform/use-is-in-page.ts";
import { useContactTexts } from "../../texts/contact/index.ts";
import { EMPTY, FIELDS, checkDraft } from "./check.ts";
import type { Draft, Field, Problem } from "./check.ts";
import { keepDraft, keptDraft } from "./kept-draft.ts";
import { sendMessage } from "./send-message.ts";
import type { Failure } from "./send-message.ts";

const MAX_LENGTHS: Partial<Record<Field, number>> = {
  firstName: MAX_NAME_LENGTH,
  lastName: MAX_NAME_LENGTH,
  email: MAX_EMAIL_LENGTH,
  // A message that is too long is not cut off: its problem says so.
};

function readDraft(form: HTMLFormElement): Draft {
  const data = new FormData(form);
  const entries = FIELDS.map((field) => {
    const value = data.get(field);
    return [field, typeof value === "string" ? value : ""] as const;
  });
  return Object.fromEntries(entries) as Draft;
}

function setFieldValue(form: HTMLFormElement, field: Field, value: string): void {
  const input = form.elements.namedItem(field);
  if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement || input instanceof HTMLTextAreaElement)
    input.value = value;
}

/** Problems are shown after the first submit, and each disappears as soon as it is corrected. */
function useProblems() {
  const [problems, setProblems] = useState<Partial<Record<Field, Problem>>>({});
  const hasTried = useRef(false);
  return {
    problems,
    /** Call it when the visitor submits. @returns the first field with a problem */
    check: (draft: Draft): Field | undefined => {
      hasTried.current = true;
      const found = checkDraft(draft);
      setProblems(found);
      return FIELDS.find((field) => found[field]);
    },
    /** Call it when the visitor types. */
    recheck: (draft: Draft): void => {
      if (hasTried.current) setProblems(checkDraft(draft));
    },
    startAnew: () => void (hasTried.current = false),
  };
}

/** Sends the message. The form shows a failure, and a toast does so on another page. */
function useSending() {
  const texts = useContactTexts().form;
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isShown = useIsInPage();

  /** @returns whether the message was sent */
  async function send(draft: Draft): Promise<boolean> {
    setFailure(null);
    setIsSending(true);
    const failed = await sendMessage(draft);
    setIsSending(false);
    setFailure(failed);
    if (!failed) notify({ kind: "success", ...texts.sent });
    else if (!isShown.current) notify({ kind: "error", title: texts.notSent, description: texts.failures.failed });
    return !failed;
  }

  return { isSending, failure, send };
}

/**
 * State of the form. The fields hold their own text (they are uncontrolled), so that what is typed into the
 * prerendered page before its script runs is not lost.
 */
export function useContactForm() {
  const texts = useContactTexts().form;
  const [initial] = useState(keptDraft);
  const { problems, check, recheck, startAnew } = useProblems();
  const { isSending, failure, send } = useSending();
  const form = useRef<HTMLFormElement>(null);

  function changed(): void {
    if (form.current === null) return;
    const draft = readDraft(form.current);
    keepDraft(draft);
    recheck(draft);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { current } = form;
    if (isSending || current === null) return;
    const draft = readDraft(current);
    keepDraft(draft);
    const invalid = check(draft);
    if (invalid !== undefined) return current.querySelector<HTMLElement>(`[name=${invalid}]`)?.focus();
    if (!(await send(draft))) return;
    keepDraft(EMPTY);
    startAnew();
    // With the texts of an earlier visit as defaults, a reset would bring these back.
    for (const field of FIELDS) setFieldValue(current, field, "");
  }

  function fieldProps(name: Field) {
    const problem = problems[name];
    return {
      name,
      label: texts[name],
      defaultValue: initial[name],
      problem: problem && texts.problems[problem],
      isLocked: isSending,
      maxLength: MAX_LENGTHS[name],
    };
  }

  return { form, isSending, failure, changed, submit, fieldProps };
}
