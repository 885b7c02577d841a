import { Box, Button, Flex } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import { useHelpTexts } from "../../texts/help/index.ts";
import { bookmarkCode } from "./bookmark-code.ts";

/** A link to drag to the bookmarks, and its code for those who cannot drag. */
export function Bookmark() {
  const texts = useHelpTexts().anywhere.bookmark;
  const [told, setTold] = useState("");
  const link = useRef<HTMLAnchorElement>(null);
  // React writes no such link, because a press would run its code. Here our policy forbids that.
  useEffect(() => link.current?.setAttribute("href", bookmarkCode(window.location.origin)), []);

  async function copy(): Promise<void> {
    const code = bookmarkCode(window.location.origin);
    // Browsers refuse it on pages without https.
    const isCopied = await navigator.clipboard?.writeText(code).then(
      () => true,
      () => false,
    );
    setTold(isCopied ? texts.copied : code);
  }

  return (
    <>
      <Box as="p" color="fg.muted" mb="3">
        {texts.text}
      </Box>
      <Flex wrap="wrap" gap="2">
        <Button asChild variant="outline">
          {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the effect writes the address */}
          <a
            ref={link}
            onClick={(event) => {
              event.preventDefault();
              setTold(texts.drag);
            }}
          >
            {texts.name}
          </a>
        </Button>
        <Button variant="ghost" onClick={() => void copy()}>
          {texts.copy}
        </Button>
      </Flex>
      <Box role="status" textStyle="meta" mt="2" overflowWrap="anywhere">
        {told}
      </Box>
    </>
  );
}
