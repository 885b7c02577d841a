/** How many videos a day come, and when none does. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useState } from "react";
import { MAX_VIDEOS_PER_DAY, type Follow } from "../../../../common/follows.ts";
import { Input } from "../../components/Input.tsx";
import { useFollowTexts } from "../../texts/follows/index.ts";
import { useFormats } from "../../texts/store.ts";
import { changeFollow } from "./follow-store.ts";
import { Field } from "./NewFollow.tsx";

const COUNTS = Array.from({ length: MAX_VIDEOS_PER_DAY }, (_, index) => index + 1);
const NIGHT = { from: "22:00", to: "07:00" };

interface FollowSettingsProps {
  readonly follow: Follow;
  readonly onClose: () => void;
}

export function FollowSettings({ follow: { id, perDay, quietHours }, onClose }: FollowSettingsProps) {
  const [count, setCount] = useState(perDay);
  const [isQuiet, setIsQuiet] = useState(quietHours !== null);
  const [{ from, to }, setTimes] = useState(quietHours ?? NIGHT);
  const [isBusy, setIsBusy] = useState(false);
  const texts = useFollowTexts();
  const { number } = useFormats();
  const timeZone = quietHours?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isWrong = isQuiet && (from === "" || to === "" || from === to);

  async function save(): Promise<void> {
    setIsBusy(true);
    const isSaved = await changeFollow(id, { perDay: count, quietHours: isQuiet ? { from, to, timeZone } : null });
    setIsBusy(false);
    if (isSaved) onClose();
  }

  return (
    <Box mt="4" pt="4" borderTop="1px solid {colors.border}">
      <Box maxW="14rem" mb="3">
        <Field label={texts.videosPerDay}>
          {(field) => (
            <Input asChild id={field} px="3">
              <select value={count} onChange={({ target }) => setCount(Number(target.value))}>
                {COUNTS.map((videos) => (
                  <option key={videos} value={videos}>
                    {number(videos)}
                  </option>
                ))}
              </select>
            </Input>
          )}
        </Field>
      </Box>
      <chakra.label display="flex" alignItems="center" gap="2.5" minH="11" fontSize="sm" fontWeight={600}>
        <chakra.input
          type="checkbox"
          boxSize="4"
          accentColor="{colors.accent.text}"
          checked={isQuiet}
          onChange={({ target }) => setIsQuiet(target.checked)}
        />
        {texts.quiet}
      </chakra.label>
      {isQuiet && (
        <>
          <Flex gap="3" maxW="20rem">
            <Field label={texts.from}>
              {(field) => (
                <Input
                  id={field}
                  type="time"
                  px="3"
                  required
                  value={from}
                  onChange={({ target }) => setTimes({ from: target.value, to })}
                />
              )}
            </Field>
            <Field label={texts.to}>
              {(field) => (
                <Input
                  id={field}
                  type="time"
                  px="3"
                  required
                  value={to}
                  onChange={({ target }) => setTimes({ from, to: target.value })}
                />
              )}
            </Field>
          </Flex>
          <Box textStyle="meta" mt="1.5" color={isWrong ? "bad" : undefined} role="status">
            {isWrong ? texts.sameTimes : texts.zone(timeZone)}
          </Box>
        </>
      )}
      <Flex gap="2" mt="3">
        <Button size="sm" variant="subtle" disabled={isBusy || isWrong} onClick={() => void save()}>
          {texts.save}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          {texts.cancel}
        </Button>
      </Flex>
    </Box>
  );
}
