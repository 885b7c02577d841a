import { Box, Button, SimpleGrid } from "@chakra-ui/react";
import { useId } from "react";
import { CONTACT_SUBJECTS } from "../../../../common/contact-message.ts";
import { Card } from "../../components/Card.tsx";
import { useIsHydrated } from "../../components/use-is-hydrated.ts";
import { useContactTexts } from "../../texts/contact/index.ts";
import { FormField } from "./FormField.tsx";
import { NotSent } from "./NotSent.tsx";
import { useContactForm } from "./use-contact-form.ts";

export function ContactForm() {
  const texts = useContactTexts().form;
  const { form, isSending, failure, changed, submit, fieldProps } = useContactForm();
  const headingId = useId();
  return (
    <Card as="section" aria-labelledby={headingId} p={{ base: "4", sm: "6" }}>
      <Box as="h2" id={headingId} textStyle="heading">
        {texts.title}
      </Box>
      <Box textStyle="meta" mb="4">
        {texts.allRequired}
      </Box>
      <noscript>
        <Box color="bad" fontWeight={600} mb="4">
          {texts.needsScript}
        </Box>
      </noscript>
      <form ref={form} method="post" noValidate onChange={changed} onSubmit={(event) => void submit(event)}>
        <SimpleGrid columns={{ base: 1, sm: 2 }} columnGap="4">
          <FormField {...fieldProps("firstName")} autoComplete="given-name" />
          <FormField {...fieldProps("lastName")} autoComplete="family-name" />
        </SimpleGrid>
        <FormField {...fieldProps("email")} type="email" autoComplete="email" />
        <FormField {...fieldProps("subject")} as="select">
          <option value="" disabled>
            {texts.choose}
          </option>
          {CONTACT_SUBJECTS.map((subject) => (
            <option key={subject} value={subject}>
              {texts.subjects[subject]}
            </option>
          ))}
        </FormField>
        <FormField {...fieldProps("message")} as="textarea" />
        {failure && <NotSent failure={failure} />}
        <SendButton isSending={isSending} />
      </form>
    </Card>
  );
}

function SendButton({ isSending }: { isSending: boolean }) {
  const texts = useContactTexts().form;
  const isHydrated = useIsHydrated();
  return (
    <Button
      type="submit"
      size="lg"
      mt="1"
      w={{ base: "full", sm: "auto" }}
      minW="11rem"
      // Screen readers hear the outcome only: a line before it would delay it.
      aria-busy={isSending}
      aria-disabled={isSending}
      // Without the script a submit would do nothing useful. It looks the same, so that nothing flickers.
      disabled={!isHydrated}
      _disabled={{ opacity: 1 }}
    >
      {isSending ? texts.sending : texts.send}
    </Button>
  );
}
