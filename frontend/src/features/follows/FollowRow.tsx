/** One followed list: its state, what waits, what came, and its buttons. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useState } from "react";
import type { Follow } from "../../../../common/follows.ts";
import { Card, Pill } from "../../components/Card.tsx";
import { useFollowTexts } from "../../texts/follows/index.ts";
import { sentenceOf, useFormats } from "../../texts/store.ts";
import { useAtTime } from "../queue/clock.ts";
import { RevokeButton } from "../secrets/RevokeButton.tsx";
import { CameVideos } from "./CameVideos.tsx";
import { changeFollow, follows } from "./follow-store.ts";
import { FollowSettings } from "./FollowSettings.tsx";
import { WaitingVideos } from "./WaitingVideos.tsx";

const FAULTS: ReadonlySet<Follow["state"]> = new Set(["failing", "blocked"]);

/** Such as "Next look in 40 minutes", with why it is no sooner. */
function StateLine({ follow: { state, nextLookAt, failure } }: { readonly follow: Follow }) {
  const texts = useFollowTexts();
  const formats = useFormats();
  const next = useAtTime((nowMs) => {
    if (state === "needs_pro" || nextLookAt === null) return "";
    return Date.parse(nextLookAt) <= nowMs ? texts.lookingNow : texts.nextLook(formats.countdown(nextLookAt, nowMs));
  });
  const why =
    state === "put_off"
      ? texts.putOff
      : state === "blocked"
        ? texts.blocked
        : state === "failing" && failure && sentenceOf(failure);
  return (
    <Box textStyle="meta">
      {why && <Box color={FAULTS.has(state) ? "bad" : undefined}>{why}</Box>}
      {next}
    </Box>
  );
}

export function FollowRow({ follow }: { readonly follow: Follow }) {
  const [isBusy, setIsBusy] = useState(false);
  const [isSetting, setIsSetting] = useState(false);
  const texts = useFollowTexts();
  const formats = useFormats();
  const { id, link, title, format, perDay, quietHours, state, waiting, came } = follow;
  const isPaused = state === "paused";

  async function toggle(): Promise<void> {
    setIsBusy(true);
    await changeFollow(id, { isPaused: !isPaused });
    setIsBusy(false);
  }

  return (
    <Card as="li" data-follow={id} p="4" minW="0">
      <Flex wrap="wrap" align="center" columnGap="2.5" rowGap="1" mb="1">
        <chakra.h2 fontWeight={600} overflowWrap="anywhere" minW="0" dir="auto">
          <chakra.a href={link} target="_blank" rel="noreferrer" _hover={{ textDecoration: "underline" }}>
            {title}
          </chakra.a>
        </chakra.h2>
        {state !== "on" && <Pill data-tone={FAULTS.has(state) ? "bad" : undefined}>{texts.states[state]}</Pill>}
      </Flex>
      <StateLine follow={follow} />
      <Box textStyle="meta" mb="3">
        {formats.formatName(format)} · {texts.perDay(perDay, formats.number(perDay))}
        {quietHours && (
          <>
            {` · ${texts.quiet} `}
            <chakra.span whiteSpace="nowrap">{formats.latin(`${quietHours.from}–${quietHours.to}`)}</chakra.span>
          </>
        )}
      </Box>
      <WaitingVideos waiting={waiting} />
      <CameVideos came={came} />
      <Flex wrap="wrap" gap="2" mt="3">
        <Button
          size="sm"
          variant="outline"
          disabled={isBusy}
          aria-label={(isPaused ? texts.resumeNamed : texts.pauseNamed)(title)}
          onClick={() => void toggle()}
        >
          {isPaused ? texts.resume : texts.pause}
        </Button>
        <Button
          size="sm"
          variant="outline"
          aria-expanded={isSetting}
          aria-label={texts.settingsNamed(title)}
          onClick={() => setIsSetting(!isSetting)}
        >
          {texts.settings}
        </Button>
        <RevokeButton name={title} texts={texts} onRevoke={() => follows.remove(id)} />
      </Flex>
      {isSetting && <FollowSettings follow={follow} onClose={() => setIsSetting(false)} />}
    </Card>
  );
}
