import { Button, Flex, chakra } from "@chakra-ui/react";
import type { HTMLChakraProps } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import { Input } from "./Input.tsx";

interface DeletionFormProps extends Omit<HTMLChakraProps<"form">, "onSubmit"> {
  /** What must be typed exactly. */
  readonly phrase: string;
  /** The sentence around the phrase. */
  readonly around: { readonly before: string; readonly after: string };
  readonly texts: { readonly deleteForGood: string; readonly keep: string };
  readonly fieldHeight: "11" | "12";
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Can be submitted only when the exact phrase is typed. */
export function DeletionForm(props: DeletionFormProps) {
  const { phrase, around, texts, fieldHeight, isBusy, onConfirm, onCancel, ...formProps } = props;
  const [text, setText] = useState("");
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <chakra.form
      {...formProps}
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <chakra.label htmlFor={id} display="block" mb="2" fontSize="sm">
        {around.before} <b>{phrase}</b> {around.after}
      </chakra.label>
      <Flex wrap="wrap" gap="2">
        <Input
          id={id}
          ref={field}
          value={text}
          autoComplete="off"
          flex="1 1 14rem"
          w="auto"
          minH={fieldHeight}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="outline" color="bad" disabled={isBusy || text.trim() !== phrase}>
          {texts.deleteForGood}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {texts.keep}
        </Button>
      </Flex>
    </chakra.form>
  );
}
