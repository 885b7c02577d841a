import { Box, Button, Flex, Spacer, chakra } from "@chakra-ui/react";
import { Suspense, lazy, useId, useRef } from "react";
import type { ClipboardEvent, FormEvent, RefObject } from "react";
import { takeLinks, useConverter, useDevice } from "../../client/client.ts";
import { notify } from "../../client/toaster.ts";
import { linksIn } from "../../stores/links.ts";
import { currentTexts, useTexts } from "../../texts/store.ts";
import { FormatHint } from "./FormatHint.tsx";
import { FormatToggle } from "./FormatToggle.tsx";
import { PreviewStage } from "./PreviewStage.tsx";
import { SeveralLinks } from "./SeveralLinks.tsx";
import { useEarlyText, useFocusOnArrival } from "./use-incoming.ts";

// Development only, so production visitors never load it.
const SampleMenu = lazy(() => import("./SampleMenu.tsx"));

const NO_HOSTS: readonly string[] = [];

const Field = chakra("div", {
  base: {
    display: "flex",
    alignItems: "center",
    gap: "2.5",
    minH: "3.875rem",
    ps: "4",
    pe: "2",
    bg: "bg.sunken",
    border: "1.5px solid transparent",
    borderRadius: "lg",
    transition: "border-color 120ms, box-shadow 120ms, background-color 120ms",
    "&:has(input:focus)": { bg: "surface", borderColor: "accent", boxShadow: "0 0 0 4px {colors.accent.soft}" },
    "&[data-invalid]": { borderColor: "bad" },
    "&[data-invalid]:has(input:focus)": { borderColor: "bad", boxShadow: "0 0 0 4px {colors.bad.soft}" },
  },
});

interface PartProps {
  readonly input: RefObject<HTMLInputElement | null>;
  /** Id of the element below the field that describes it to screen readers: the format's hint, or the problem. */
  readonly descriptionId: string;
}

/** The form for a single link. */
export function SingleForm() {
  const { link, isPending, setLink, submit } = useConverter((state) => state);
  const input = useRef<HTMLInputElement>(null);
  const descriptionId = useId();
  const texts = useTexts().converter;
  useFocusOnArrival(input);
  useEarlyText(input, setLink);

  async function start(event: FormEvent): Promise<void> {
    event.preventDefault();
    await submit();
    input.current?.focus();
  }

  return (
    <form noValidate onSubmit={(event) => void start(event)}>
      <LinkField input={input} descriptionId={descriptionId} />
      <PreviewStage remark={<SeveralLinks text={link} isBatch={false} />} />
      <Flex wrap="wrap" align="center" columnGap="3" rowGap={{ base: "1.5", sm: "2.5" }} pt={{ base: "2.5", sm: "3" }}>
        <FormatRow input={input} descriptionId={descriptionId} />
        <Button
          type="submit"
          size="lg"
          w={{ base: "full", sm: "auto" }}
          minW="8.5rem"
          aria-busy={isPending}
          disabled={isPending}
        >
          {isPending ? texts.starting : texts.convert}
        </Button>
      </Flex>
    </form>
  );
}

function LinkField({ input, descriptionId }: PartProps) {
  const { link, problem, isPending, setLink } = useConverter((state) => state);
  const videoHosts = useDevice((state) => state.config?.videoHosts ?? NO_HOSTS);
  const texts = useTexts().converter;

  /** Several links go to the intake; the browser itself pastes a single one at the cursor. */
  function onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData("text/plain");
    if (linksIn(text, videoHosts).length > 1 && takeLinks(text)) event.preventDefault();
  }

  return (
    <Field data-invalid={problem === null ? undefined : true}>
      <chakra.input
        ref={input}
        type="url"
        name="link"
        aria-label={texts.link}
        aria-invalid={problem !== null}
        aria-describedby={descriptionId}
        placeholder={texts.linkPlaceholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        value={link}
        readOnly={isPending}
        onChange={(event) => setLink(event.target.value)}
        onPaste={onPaste}
        flex="1"
        minW="0"
        h="12"
        bg="transparent"
        fontSize="lg"
        textOverflow="ellipsis"
        outline="none"
        _focusVisible={{ outline: "none" }}
      />
      <PasteOrCancelButton input={input} />
    </Field>
  );
}

/** Cancel replaces Paste, not Convert, so that a double click on Convert does not cancel. */
function PasteOrCancelButton({ input }: Pick<PartProps, "input">) {
  const { isPending, cancel } = useConverter((state) => state);
  const texts = useTexts().converter;

  async function paste(): Promise<void> {
    try {
      if (takeLinks(await navigator.clipboard.readText())) return;
    } catch (error) {
      // The browser refuses or lacks clipboard access; pasting with the keyboard still works.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
    input.current?.focus();
    notify({ kind: "info", ...currentTexts().converter.notices.nothingPasted });
  }

  return isPending ? (
    <Button variant="outline" size="sm" minW="5.5rem" onClick={cancel}>
      {texts.cancel}
    </Button>
  ) : (
    <Button variant="outline" size="sm" minW="5.5rem" onClick={() => void paste()}>
      {texts.paste}
    </Button>
  );
}

/** The format, its hint or the field's problem, and the sample links. */
function FormatRow({ input, descriptionId }: PartProps) {
  const { link, format, problem, setLink, setFormat } = useConverter((state) => state);
  const sampleLinks = useDevice((state) => state.config?.sampleLinks);
  const texts = useTexts().converter;
  return (
    <>
      <FormatToggle format={format} onChange={setFormat} />
      {/* The problem replaces the hint, so that the page does not move. */}
      <Flex
        flex="1"
        minW={{ base: "full", sm: "0" }}
        minH="11"
        align="center"
        columnGap={{ base: "1", sm: "3" }}
        ps={{ base: "1", sm: "0" }}
      >
        <Box
          id={descriptionId}
          textStyle="meta"
          color={problem === null ? "fg.muted" : "bad"}
          fontWeight={problem === null ? 400 : 600}
        >
          {problem === null ? <FormatHint format={format} /> : texts.problems[problem]}
        </Box>
        <Spacer />
        {sampleLinks && sampleLinks.length > 0 && (
          <Suspense>
            <SampleMenu links={sampleLinks} onPick={setLink} onPicked={() => link !== "" && input.current?.focus()} />
          </Suspense>
        )}
      </Flex>
    </>
  );
}
