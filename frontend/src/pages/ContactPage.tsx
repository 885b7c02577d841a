import { Box, Button, Flex, Grid, chakra } from "@chakra-ui/react";
import { Card } from "../components/Card.tsx";
import { Link } from "../components/Link.tsx";
import { Questions } from "../components/Questions.tsx";
import { TextColumn, TextHead } from "../components/layout/TextColumn.tsx";
import { ContactForm } from "../features/contact/ContactForm.tsx";
import { SupportAddress } from "../features/contact/SupportAddress.tsx";
import { pageContacts } from "../platform/page-contacts.ts";
import { useHead } from "../platform/use-head.ts";
import { useContactTexts } from "../texts/contact/index.ts";
import { useFigures } from "../texts/use-figures.ts";
import { useTitle } from "./use-title.ts";

function ResponseTimes() {
  const { times } = useContactTexts();
  const { answers } = useFigures();
  const rows = [
    [times.technical, times.within(answers.technical)],
    [times.billing, times.within(answers.billing)],
    [times.general, times.within(answers.general)],
    [times.pro, times.priority],
  ] as const;
  return (
    <Card p="5">
      <Box as="h2" textStyle="heading" mb="2">
        {times.title}
      </Box>
      <chakra.dl fontSize="sm">
        {rows.map(([kind, time]) => (
          <Flex
            key={kind}
            wrap="wrap"
            justify="space-between"
            columnGap="3"
            py="2"
            borderTop="1px solid {colors.border}"
          >
            <dt>{kind}</dt>
            <chakra.dd fontWeight={600}>{time}</chakra.dd>
          </Flex>
        ))}
      </chakra.dl>
    </Card>
  );
}

function AddressCard({ title, text, isMain = false }: { title: string; text: string; isMain?: boolean }) {
  return (
    <Card p={isMain ? { base: "4", sm: "6" } : "5"}>
      <Box as="h2" textStyle="heading" mb="2">
        {title}
      </Box>
      <Box textStyle={isMain ? undefined : "meta"} mb={isMain ? "2" : undefined}>
        {text}
      </Box>
      <SupportAddress />
    </Card>
  );
}

function Contact() {
  const texts = useContactTexts();
  const figures = useFigures();
  useTitle(texts.title);
  useHead({ description: texts.description });
  return (
    <>
      <TextHead title={texts.title} lead={texts.lead} />
      <Grid
        templateColumns={{ base: "minmax(0, 1fr)", sm: "minmax(0, 5fr) minmax(0, 3fr)" }}
        gap="4"
        alignItems="start"
      >
        {pageContacts.hasForm ? (
          <ContactForm />
        ) : (
          <AddressCard title={texts.write.title} text={texts.write.text} isMain />
        )}
        <Grid gap="4">
          <ResponseTimes />
          {pageContacts.hasForm && <AddressCard {...texts.email} />}
        </Grid>
      </Grid>
      <Card px="5" pt="4" pb="3" mt="4">
        <Box as="h2" textStyle="heading" mb="3">
          {texts.faq.title}
        </Box>
        <Questions questions={texts.faq.questions(figures)} />
        <Button asChild variant="outline" size="sm" mt="2">
          <Link to="/help">{texts.faq.more}</Link>
        </Button>
      </Card>
    </>
  );
}

export function ContactPage() {
  return (
    <TextColumn>
      <Contact />
    </TextColumn>
  );
}
