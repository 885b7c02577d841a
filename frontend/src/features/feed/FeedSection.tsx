/** The dashboard's section where people make the address of their podcast feed, and turn it off. */
import { Box, Button, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { useStore } from "zustand";
import type { Feed } from "../../../../common/feed-calls.ts";
import { TIERS, type Tier } from "../../../../common/tiers.ts";
import { feedApi } from "../../api/feed-api.ts";
import { useFeedTexts } from "../../texts/feed/index.ts";
import { useFormats } from "../../texts/store.ts";
import { RevokeButton } from "../secrets/RevokeButton.tsx";
import { Problem, SecretFrame } from "../secrets/SecretFrame.tsx";
import { createSecretStore } from "../secrets/secret-store.ts";
import { ShownSecret } from "../secrets/ShownSecret.tsx";
import { podcastLink } from "./podcast-link.ts";

const feeds = createSecretStore<Feed & { id: string }, void>(feedApi);

/** Nobody has an address yet. */
function Off() {
  const texts = useFeedTexts();
  const [isBusy, setIsBusy] = useState(false);

  async function make(): Promise<void> {
    setIsBusy(true);
    const isMade = await feeds.create();
    if (!isMade) setIsBusy(false);
  }

  return (
    <Flex wrap="wrap" align="center" justify="space-between" gap="3" p="4">
      {texts.none}
      <Button size="sm" variant="outline" disabled={isBusy} onClick={() => void make()}>
        {texts.make}
      </Button>
    </Flex>
  );
}

function On({ feed: { createdAt, lastReadAt } }: { feed: Feed }) {
  const texts = useFeedTexts();
  const { dayOf } = useFormats();
  return (
    <Flex wrap="wrap" align="center" gap="3" p="4">
      <Box flex="1 1 14rem" minW="0">
        <Box fontWeight={600}>{texts.on}</Box>
        <Box textStyle="meta">
          {texts.since(dayOf(createdAt))} · {lastReadAt === null ? texts.neverRead : texts.lastRead(dayOf(lastReadAt))}
        </Box>
      </Box>
      <Flex wrap="wrap" gap="2">
        {/* Begins anew with each address. */}
        <RevokeButton key={createdAt} name={texts.title} texts={texts.renewal} onRevoke={() => feeds.create()} />
        <RevokeButton name={texts.title} texts={texts} onRevoke={() => feeds.remove("feed")} />
      </Flex>
    </Flex>
  );
}

export function FeedSection({ tier }: { tier: Tier }) {
  const texts = useFeedTexts();
  const { items, problem } = useStore(feeds.view);
  const created = useStore(feeds.created, (state) => state.created);
  const formats = useFormats();
  const [feed] = items;
  const about = texts.about(formats.span(TIERS[tier].retentionSeconds));
  const open = created && (
    <Button asChild variant="outline">
      <a href={podcastLink(created.secret)}>{texts.open}</a>
    </Button>
  );
  return (
    <SecretFrame id="feed-heading" store={feeds} texts={texts} about={about}>
      {feed ? <On feed={feed} /> : <Off />}
      {created && (
        <ShownSecret
          key={created.secret}
          secret={created.secret}
          texts={texts}
          more={open}
          onClose={feeds.closeCreated}
        />
      )}
      {problem !== undefined && (
        <Box px="4" pb="1">
          <Problem problem={problem} texts={texts} />
        </Box>
      )}
    </SecretFrame>
  );
}
