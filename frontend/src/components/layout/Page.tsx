import { Box, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTexts } from "../../texts/store.ts";
import { Nav } from "./Nav.tsx";

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

/** Layout of every page: skip link, top bar and one content column. */
export function Page({ children }: { children: ReactNode }) {
  const { skip } = useTexts().footer;
  return (
    <>
      <Skip href={`#${CONTENT_ID}`}>{skip}</Skip>
      <Nav />
      <Box id={CONTENT_ID} tabIndex={-1} outline="none" maxW="page" mx="auto" px={{ base: "4", sm: "6" }}>
        {children}
      </Box>
    </>
  );
}
