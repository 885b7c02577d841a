import { Box, Button, SimpleGrid, chakra } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Card } from "../../components/Card.tsx";
import { useContactTexts } from "../../texts/contact/index.ts";
import { notify } from "../../client/toaster.ts";
import { EMPTY, FIELDS, SUBJECTS, checkDraft } from "./check.ts";
import type { Field } from "./check.ts";
import { FormField } from "./FormField.tsx";

/** Duration of the simulated sending: no server receives messages yet. */
export const SENDING_MS = 1_000;

/** State of the form: its draft, the problems of its fields, and the simulated sending. */
function useContactForm() {
  const texts = useContactTexts().form;
  const [draft, setDraft] = useState(EMPTY);
  // Problems are shown after the first submit, and each disappears as soon as it is corrected.
  const [hasTried, setHasTried] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = hasTried ? checkDraft(draft) : {};

  useEffect(() => {
    if (!isSending) return;
    const timer = setTimeout(() => {
      setIsSending(false);
      setDraft(EMPTY);
      setHasTried(false);
      notify({ kind: "success", ...texts.sent });
    }, SENDING_MS);
    return () => clearTimeout(timer);
  }, [isSending, texts]);

  function send(event: FormEvent): void {
    event.preventDefault();
    if (isSending) return;
    setHasTried(true);
    const invalid = checkDraft(draft);
    const firstInvalid = FIELDS.find((field) => invalid[field]);
    if (firstInvalid === undefined) setIsSending(true);
    else form.current?.querySelector<HTMLElement>(`[name=${firstInvalid}]`)?.focus();
  }

  function fieldProps(name: Field) {
    const problem = problems[name];
    return {
      name,
      label: texts[name],
      value: draft[name],
      problem: problem && texts.problems[problem],
      isLocked: isSending,
      onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    };
  }

  return { form, isSending, send, fieldProps };
}

export function ContactForm() {
  const texts = useContactTexts().form;
  const { form, isSending, send, fieldProps } = useContactForm();
  const headingId = useId();
  return (
    <Card as="section" aria-labelledby={headingId} p={{ base: "4", sm: "6" }}>
      <Box as="h2" id={headingId} textStyle="heading">
        {texts.title}
      </Box>
      <Box textStyle="meta" mb="4">
        {texts.allRequired}
      </Box>
      <form ref={form} noValidate onSubmit={send}>
        <SimpleGrid columns={{ base: 1, sm: 2 }} columnGap="4">
          <FormField {...fieldProps("firstName")} autoComplete="given-name" />
          <FormField {...fieldProps("lastName")} autoComplete="family-name" />
        </SimpleGrid>
        <FormField {...fieldProps("email")} type="email" autoComplete="email" />
        <FormField {...fieldProps("subject")} as="select">
          <option value="" disabled>
            {texts.choose}
          </option>
          {SUBJECTS.map((subject) => (
            <option key={subject} value={subject}>
              {texts.subjects[subject]}
            </option>
          ))}
        </FormField>
        <FormField {...fieldProps("message")} as="textarea" />
        <SendButton isSending={isSending} />
      </form>
    </Card>
  );
}

function SendButton({ isSending }: { isSending: boolean }) {
  const texts = useContactTexts().form;
  return (
    <>
      <Button
        type="submit"
        size="lg"
        mt="1"
        w={{ base: "full", sm: "auto" }}
        minW="11rem"
        aria-busy={isSending}
        aria-disabled={isSending}
      >
        {isSending ? texts.sending : texts.send}
      </Button>
      <chakra.div srOnly role="status">
        {isSending && texts.sending}
      </chakra.div>
    </>
  );
}
