import { Button, Flex } from "@chakra-ui/react";
import { useBatch, useDevice } from "../../app.ts";
import { findLinks } from "../../stores/batch.ts";
import { useTexts } from "../../texts/store.ts";

export interface BatchOfferProps {
  readonly text: string;
  /** However it was answered. */
  readonly onAnswered: () => void;
}

/** Several links were pasted where one fits. */
export function BatchOffer({ text, onAnswered }: BatchOfferProps) {
  const texts = useTexts().converter;
  const { choose, setText } = useBatch((state) => state);
  const videoHosts = useDevice((state) => state.config?.videoHosts);
  const count = findLinks(text, videoHosts ?? []).links.length;

  function accept(): void {
    setText(text);
    choose(true);
    onAnswered();
  }

  return (
    <Flex role="status" wrap="wrap" align="center" gap="2" mt="2.5" ps="4" pe="2" py="1.5" bg="accent.soft" borderRadius="md" fontSize="sm">
      {texts.pasted(count)}
      <Flex ms="auto" gap="1">
        <Button size="sm" onClick={accept}>
          {texts.useBatch}
        </Button>
        <Button variant="ghost" size="sm" onClick={onAnswered}>
          {texts.notNow}
        </Button>
      </Flex>
    </Flex>
  );
}
