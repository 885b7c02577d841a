import { Box, Flex, Spacer, chakra } from "@chakra-ui/react";
import { useId, useRef } from "react";
import type { FormEvent } from "react";
import type { Format } from "../../../../common/tiers.ts";
import { useAnnouncement } from "../../client/announcer.ts";
import { useBatch, useConverter } from "../../client/converter.ts";
import { useDevice } from "../../client/stores.ts";
import { MAX_BATCH_LINKS } from "../../stores/batch.ts";
import type { BatchProblem } from "../../stores/batch.ts";
import { problemSentence } from "../../stores/converter.ts";
import { countLinks } from "../../stores/submit-batch.ts";
import type { Texts } from "../../texts/en.ts";
import { useTexts } from "../../texts/store.ts";
import { ChoicesPlace } from "./ChoicesPlace.tsx";
import { BarText, ConvertBar } from "./ConvertBar.tsx";
import { FormatHint } from "./FormatHint.tsx";
import { FormatToggle } from "./FormatToggle.tsx";
import { SeveralLinks } from "./SeveralLinks.tsx";
import { SubmitButton } from "./SubmitButton.tsx";
import { useFocusOnArrival } from "./use-incoming.ts";

const Lines = chakra("textarea", {
  base: {
    display: "block",
    w: "full",
    minH: "9.5rem",
    px: "4",
    py: "3",
    bg: "bg.sunken",
    border: "1.5px solid {colors.edge}",
    borderRadius: "lg",
    fontSize: "md",
    lineHeight: 1.6,
    resize: "vertical",
    _focus: { bg: "surface", borderColor: "accent.text", boxShadow: "0 0 0 4px {colors.accent.soft}", outline: "none" },
    "&[aria-invalid=true]": { borderColor: "bad" },
  },
});

interface PartProps {
  /** Id of the element below the field that describes it to screen readers: the format's hint, or the problem. */
  readonly descriptionId: string;
}

/** Form for many links, one per line. */
export function BatchForm() {
  const { text, isPending, submit } = useBatch((state) => state);
  const descriptionId = useId();
  const { convertAll } = useTexts().converter;
  const isEmpty = text.trim() === "";

  function start(event: FormEvent): void {
    event.preventDefault();
    void submit();
  }

  return (
    <form noValidate onSubmit={start}>
      <LinesField descriptionId={descriptionId} />
      <SeveralLinks text={text} isBatch />
      <Flex wrap="wrap" align="center" columnGap="3" rowGap={{ base: "1.5", sm: "2.5" }} pt={{ base: "2.5", sm: "3" }}>
        <FormatRow descriptionId={descriptionId} />
      </Flex>
      <ChoicesPlace part="panel" />
      <ConvertBar>
        <LinkCount />
        <SubmitButton label={convertAll} isPending={isPending} isPale={isEmpty} />
      </ConvertBar>
    </form>
  );
}

function LinesField({ descriptionId }: PartProps) {
  const { text, problem, isPending, setText, submit } = useBatch((state) => state);
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusOnArrival(field);
  const texts = useTexts().converter;
  return (
    <Lines
      ref={field}
      name="links"
      aria-label={texts.links}
      aria-invalid={problem !== null}
      aria-describedby={descriptionId}
      placeholder={texts.linksPlaceholder}
      autoCapitalize="none"
      spellCheck={false}
      value={text}
      readOnly={isPending}
      onChange={(event) => setText(event.target.value)}
      // Enter inserts a line break here, so Ctrl or Command with Enter submits.
      onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && void submit()}
    />
  );
}

/** The format, and its hint or the field's problem. */
function FormatRow({ descriptionId }: PartProps) {
  const { format, setFormat } = useConverter((state) => state);
  return (
    <>
      <FormatToggle format={format} onChange={setFormat} />
      <Flex
        flex="1"
        minW={{ base: "full", sm: "0" }}
        minH="11"
        wrap={{ base: "wrap", sm: "nowrap" }}
        align="center"
        columnGap="3"
        ps={{ base: "1", sm: "0" }}
      >
        <HintOrProblem id={descriptionId} format={format} />
        <Spacer />
        <ChoicesPlace part="button" />
      </Flex>
    </>
  );
}

function problemText(problem: BatchProblem, texts: Texts): string {
  const { problems } = texts.converter;
  if (problem === "tooMany") return problems.tooMany(MAX_BATCH_LINKS);
  return problem === "noLinks" ? problems.noLinks : problemSentence(problem, texts);
}

function HintOrProblem({ id, format }: { id: string; format: Format }) {
  const problem = useBatch((state) => state.problem);
  const texts = useTexts();
  return (
    <Box
      id={id}
      textStyle="meta"
      color={problem === null ? "fg.muted" : "bad"}
      fontWeight={problem === null ? 400 : 600}
    >
      {problem === null ? <FormatHint format={format} /> : problemText(problem, texts)}
    </Box>
  );
}

/** The number of links in the field, and the largest allowed number. */
function LinkCount() {
  const text = useBatch((state) => state.text);
  const videoHosts = useDevice((state) => state.config?.videoHosts);
  const texts = useTexts().converter;
  const count = countLinks(text, videoHosts ?? []);
  const found = texts.found(count, MAX_BATCH_LINKS);
  useAnnouncement("found", found, "silent");
  return (
    <BarText
      about={
        <Box as="span" color={count > MAX_BATCH_LINKS ? "bad" : undefined}>
          {found}
        </Box>
      }
    />
  );
}
