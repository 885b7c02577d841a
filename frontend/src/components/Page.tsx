import { Box } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Nav } from "./Nav.tsx";

/** The one column that every page is. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <Box maxW="page" mx="auto" px={{ base: "4", sm: "6" }}>
      <Nav />
      {children}
    </Box>
  );
}
