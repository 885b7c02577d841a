/** Requests that wait for the network, above the list they will be part of. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useMemo } from "react";
import { takeBack, useOutbox } from "../../client/client.ts";
import { Pill } from "../../components/Card.tsx";
import { CloseIcon } from "../../components/icons.tsx";
import { useTexts } from "../../texts/store.ts";
import type { ConvertBatchWish, ConvertWish, Wish } from "../../outbox/entries.ts";

type NewConversion = ConvertWish | ConvertBatchWish;

const isNewConversion = (wish: Wish): wish is NewConversion => wish.kind === "convert" || wish.kind === "convertBatch";

/** What waits to become rows, newest first; what was asked of a row shows on the row itself. */
export function useKeptConversions(): readonly NewConversion[] {
  const kept = useOutbox((state) => state.kept);
  return useMemo(() => kept.filter(isNewConversion).toReversed(), [kept]);
}

function KeptRequest({ wish }: { wish: NewConversion }) {
  const { kept } = useTexts().network;
  const title = wish.kind === "convert" ? wish.youtubeUrl : kept.batch(wish.urls.length);
  return (
    <Flex
      as="li"
      data-kept={wish.key}
      align="center"
      gap="3"
      minH="4.75rem"
      ps={{ base: "3", sm: "4" }}
      pe={{ base: "1.5", sm: "3" }}
      py="3"
      borderBottom="1px solid {colors.border}"
      animation="fadeIn 240ms"
    >
      <Box flex="1" minW="0">
        <chakra.h3 dir="auto" fontSize="md" fontWeight={600} lineClamp={1} overflowWrap="anywhere" title={title}>
          {title}
        </chakra.h3>
        <Flex wrap="wrap" align="center" columnGap="2.5" rowGap="0.5" pt="1.5" textStyle="meta">
          <Pill>{kept.waiting}</Pill>
          <span>{wish.format.toUpperCase()}</span>
        </Flex>
      </Box>
      <Button
        variant="ghost"
        size="sm"
        px="0"
        aria-label={kept.takeBackOf(title)}
        data-tip={kept.takeBack}
        onClick={() => takeBack(wish.key)}
      >
        <CloseIcon />
      </Button>
    </Flex>
  );
}

export function KeptRequests() {
  const wishes = useKeptConversions();
  const texts = useTexts().network.kept;
  if (wishes.length === 0) return null;
  return (
    <chakra.ul
      listStyleType="none"
      aria-label={texts.list}
      css={{ "&:last-child > li:last-child": { borderBottom: "none" } }}
    >
      {wishes.map((wish) => (
        <KeptRequest key={wish.key} wish={wish} />
      ))}
    </chakra.ul>
  );
}
