import { Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import { Input } from "../../components/Input.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { ConfirmButton, Section } from "./Section.tsx";
import { useAct } from "./use-act.ts";

/** For a job that no list on the page shows. */
export function OneJob() {
  const [text, setText] = useState("");
  const { isBusy, act } = useAct();
  const id = useId();
  const texts = useOperatorTexts().job;
  const { cancelForSure } = useOperatorTexts().running;
  const jobId = text.trim();
  const isDisabled = isBusy || jobId === "";
  return (
    <Section title={texts.title} about={texts.about}>
      <chakra.form
        p="4"
        onSubmit={(event) => {
          event.preventDefault();
          void act({ act: "retry_job", jobId });
        }}
      >
        <chakra.label htmlFor={id} display="block" mb="2" fontWeight={600}>
          {texts.id}
        </chakra.label>
        <Flex wrap="wrap" gap="2" align="center">
          <Input
            id={id}
            value={text}
            autoComplete="off"
            spellCheck={false}
            flex="1 1 16rem"
            w="auto"
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" variant="outline" minH="12" disabled={isDisabled}>
            {texts.retry}
          </Button>
          <ConfirmButton
            label={texts.cancel}
            question={cancelForSure}
            isBusy={isDisabled}
            onConfirm={() => void act({ act: "cancel_job", jobId })}
          />
        </Flex>
      </chakra.form>
    </Section>
  );
}
