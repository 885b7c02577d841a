import { Box, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTexts } from "../../texts/store.ts";
import { Nav } from "./Nav.tsx";
import { WIDE_PAGE } from "./wide-bar.ts";

export const CONTENT_ID = "content";

const Skip = chakra("a", {
  base: {
    position: "fixed",
    top: "2",
    insetInlineStart: "2",
    zIndex: 50,
    display: "inline-flex",
    alignItems: "center",
    minH: "11",
    px: "4",
    borderRadius: "md",
    bg: "accent",
    color: "accent.ink",
    fontWeight: 600,
    "&:not(:focus)": { clipPath: "inset(50%)", pointerEvents: "none" },
  },
});

export interface PageProps {
  /** Wide screens have room for two columns, each as wide as the page of a laptop. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Layout of every page: skip link, top bar and the content. */
export function Page({ isWide = false, children }: PageProps) {
  const { skip } = useTexts().footer;
  return (
    <>
      <Skip href={`#${CONTENT_ID}`}>{skip}</Skip>
      <Nav isWide={isWide} />
      <Box
        id={CONTENT_ID}
        tabIndex={-1}
        outline="none"
        maxW="page"
        css={isWide ? WIDE_PAGE : undefined}
        mx="auto"
        px={{ base: "4", sm: "6" }}
      >
        {children}
      </Box>
    </>
  );
}
