import { Button, Flex, Text } from "@chakra-ui/react";
import { acceptsAnyHost } from "../../../../common/hosts.ts";
import type { OperatorState } from "../../../../common/operator.ts";
import { useDevice } from "../../client/stores.ts";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { timeOf } from "./format.ts";
import { ConfirmButton } from "./Section.tsx";
import { useAct } from "./use-act.ts";

/** Pauses the workers. */
export function PauseButton() {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().intake;
  return (
    <ConfirmButton
      label={texts.pause}
      question={texts.pauseForSure}
      isBusy={isBusy}
      isOutlined
      onConfirm={() => void act({ act: "pause" })}
    />
  );
}

/** Says that the server reads any site, which is more than most operators want. */
export function AnyHostNotice() {
  const hosts = useDevice((state) => state.config?.videoHosts);
  const { anyHost } = useOperatorTexts().intake;
  return acceptsAnyHost(hosts ?? []) && <Text textStyle="meta">{anyHost}</Text>;
}

/** Says that workers take no jobs, and lets them go on. */
export function PausedNotice({ intake, queue }: Pick<OperatorState, "intake" | "queue">) {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().intake;
  const waiting = queue.reduce((sum, row) => sum + row.waiting + row.waitingForSite, 0);
  return (
    <Flex
      role="status"
      wrap="wrap"
      align="center"
      gap="3"
      justify="space-between"
      mb="4"
      px="4"
      py="3"
      borderRadius="lg"
      bg="accent.soft"
      color="accent.text"
      fontWeight={600}
    >
      <span>
        {texts.paused(intake.since === null ? "" : timeOf(intake.since), intake.by ?? "")} {texts.waiting(waiting)}
      </span>
      <Button size="sm" disabled={isBusy} onClick={() => void act({ act: "resume" })}>
        {texts.resume}
      </Button>
    </Flex>
  );
}
