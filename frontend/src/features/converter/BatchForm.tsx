import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useRef } from "react";
import type { FormEvent } from "react";
import { useBatch, useConverter, useDevice } from "../../client/client.ts";
import { MAX_BATCH_LINKS, findLinks } from "../../stores/batch.ts";
import { useTexts } from "../../texts/store.ts";
import { FormatHint } from "./FormatHint.tsx";
import { FormatToggle } from "./FormatToggle.tsx";
import { RefusedLines } from "./RefusedLines.tsx";
import { SeveralLinks } from "./SeveralLinks.tsx";
import { useFocusOnArrival } from "./use-incoming.ts";

const Lines = chakra("textarea", {
  base: {
    display: "block",
    w: "full",
    minH: "9.5rem",
    px: "4",
    py: "3",
    bg: "bg.sunken",
    border: "1.5px solid transparent",
    borderRadius: "lg",
    fontSize: "md",
    lineHeight: 1.6,
    resize: "vertical",
    _focus: { bg: "surface", borderColor: "accent", boxShadow: "0 0 0 4px {colors.accent.soft}", outline: "none" },
    "&[aria-invalid=true]": { borderColor: "bad" },
  },
});

/** Form for many links, one per line. */
export function BatchForm() {
  const { text, problem, isPending, setText, submit } = useBatch((state) => state);
  const { format, setFormat } = useConverter((state) => state);
  const videoHosts = useDevice((state) => state.config?.videoHosts);
  const found = findLinks(text, videoHosts ?? []).links.length;
  const hintId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusOnArrival(field);
  const texts = useTexts().converter;

  function start(event: FormEvent): void {
    event.preventDefault();
    void submit();
  }

  return (
    <>
      <form noValidate onSubmit={start}>
        <Lines
          ref={field}
          name="links"
          aria-label={texts.links}
          aria-invalid={problem !== null}
          aria-describedby={hintId}
          placeholder={texts.linksHint}
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          readOnly={isPending}
          onChange={(event) => setText(event.target.value)}
          // Enter inserts a line break here, so Ctrl or Command with Enter submits.
          onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && void submit()}
        />
        <SeveralLinks text={text} isBatch />
        <Flex
          wrap="wrap"
          align="center"
          columnGap="3"
          rowGap={{ base: "1.5", sm: "2.5" }}
          pt={{ base: "2.5", sm: "3" }}
        >
          <FormatToggle format={format} onChange={setFormat} />
          <Flex
            flex="1"
            minW={{ base: "full", sm: "0" }}
            minH="11"
            align="center"
            columnGap="3"
            ps={{ base: "1", sm: "0" }}
          >
            <Box
              id={hintId}
              textStyle="meta"
              color={problem === null ? "fg.muted" : "bad"}
              fontWeight={problem === null ? 400 : 600}
            >
              {problem === null ? (
                <FormatHint format={format} />
              ) : problem === "tooMany" ? (
                texts.problems.tooMany(MAX_BATCH_LINKS)
              ) : (
                texts.problems.noLinks
              )}
            </Box>
            <Box
              role="status"
              textStyle="meta"
              ms="auto"
              whiteSpace="nowrap"
              color={found > MAX_BATCH_LINKS ? "bad" : "fg.muted"}
            >
              {texts.found(found, MAX_BATCH_LINKS)}
            </Box>
          </Flex>
          <Button
            type="submit"
            size="lg"
            w={{ base: "full", sm: "auto" }}
            minW="8.5rem"
            aria-busy={isPending}
            disabled={isPending}
          >
            {isPending ? texts.starting : texts.convertAll}
          </Button>
        </Flex>
      </form>
      <RefusedLines />
    </>
  );
}
