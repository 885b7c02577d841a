import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { BlockKind } from "../../../../common/block-kinds.ts";
import type { BlockEntry } from "../../../../common/operator.ts";
import { Input } from "../../components/Input.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { dayOf } from "./format.ts";
import { ConfirmButton, Empty, Row, Rows, Section } from "./Section.tsx";
import { useAct } from "./use-act.ts";

/** On a phone each has a line, apart from the last one; on wider screens all are in one line with the button. */
const WIDTHS = {
  kind: { base: "1 1 100%", sm: "1 1 8rem" },
  text: { base: "1 1 100%", sm: "2 1 9rem" },
  date: "1 0 11rem",
};

function Field({ label, width, children }: { label: string; width: keyof typeof WIDTHS; children: ReactNode }) {
  return (
    <chakra.label flex={WIDTHS[width]} minW="0">
      <Box as="span" display="block" mb="2" fontWeight={600}>
        {label}
      </Box>
      {children}
    </chakra.label>
  );
}

function BlockForm() {
  const [kind, setKind] = useState<BlockKind>("video");
  const [value, setValue] = useState("");
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const { isBusy, act } = useAct();
  const id = useId();
  const texts = useOperatorTexts().blocks;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const end = until === "" ? undefined : new Date(until).toISOString();
    if (!(await act({ act: "block", kind, value, reason, until: end }))) return;
    setValue("");
    setReason("");
    setUntil("");
  }

  return (
    <chakra.form display="flex" flexWrap="wrap" gap="3" alignItems="end" p="4" onSubmit={(event) => void submit(event)}>
      <Field label={texts.kind} width="kind">
        <Input asChild>
          <select id={id} value={kind} onChange={(event) => setKind(BlockKind.parse(event.target.value))}>
            {BlockKind.options.map((option) => (
              <option key={option} value={option}>
                {texts.kinds[option]}
              </option>
            ))}
          </select>
        </Input>
      </Field>
      <Field label={texts.value} width="text">
        <Input value={value} autoComplete="off" onChange={(event) => setValue(event.target.value)} />
      </Field>
      <Field label={texts.reason} width="text">
        <Input value={reason} maxLength={500} autoComplete="off" onChange={(event) => setReason(event.target.value)} />
      </Field>
      <Field label={texts.end} width="date">
        <Input type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
      </Field>
      <Button
        type="submit"
        variant="outline"
        minH="12"
        disabled={isBusy || value.trim() === "" || reason.trim() === ""}
      >
        {texts.block}
      </Button>
    </chakra.form>
  );
}

function BlockRow({ kind, value, reason, by, createdAt, until }: BlockEntry) {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().blocks;
  return (
    <Row
      buttons={
        <ConfirmButton
          label={texts.unblock}
          name={texts.unblockNamed(value)}
          question={texts.unblock}
          isBusy={isBusy}
          onConfirm={() => void act({ act: "unblock", kind, value })}
        />
      }
    >
      <b>{texts.kinds[kind]}</b> {value}
      <Box textStyle="meta">
        {[texts.details(reason, by, dayOf(createdAt)), ...(until === null ? [] : [texts.until(dayOf(until))])].join(
          " · ",
        )}
      </Box>
    </Row>
  );
}

export function Blocks({ blocks }: { blocks: readonly BlockEntry[] }) {
  const texts = useOperatorTexts().blocks;
  return (
    <Section title={texts.title} about={texts.about}>
      <BlockForm />
      <Flex direction="column" borderTop="1px solid {colors.border}">
        {blocks.length === 0 && <Empty>{texts.none}</Empty>}
        <Rows>
          {blocks.map((entry) => (
            <BlockRow key={`${entry.kind}:${entry.value}`} {...entry} />
          ))}
        </Rows>
      </Flex>
    </Section>
  );
}
