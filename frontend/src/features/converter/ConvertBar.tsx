import { Box, Flex } from "@chakra-ui/react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { UNTOUCHED_MS } from "../../theme/untouched.ts";

/** Room that the bar may cover below what is scrolled into view. */
export const BAR_ROOM = "7rem";

/** What stood below the bar moves up when a job starts, and must not take the second tap of a double tap on Convert. */
function keepTapsOff(): void {
  const untouched = { pointerEvents: "none" };
  document.querySelector("main")?.animate([untouched, untouched], UNTOUCHED_MS);
}

/**
 * The last row of a form in which there is much to choose: the count or the size of what is chosen, and Convert. It lies
 * at the lower edge of the window as long as its own place is below that.
 */
export function ConvertBar({ children }: { readonly children: ReactNode }) {
  useEffect(() => keepTapsOff, []);
  return (
    <Flex
      data-convert-bar=""
      position="sticky"
      bottom="0"
      zIndex={2}
      align="center"
      justify="flex-end"
      columnGap="3"
      mt="3"
      // As wide as the card, whose padding it covers.
      mx={{ base: "-2.5", sm: "-3.5" }}
      mb={{ base: "-2.5", sm: "-3.5" }}
      px={{ base: "2.5", sm: "3.5" }}
      pt="2.5"
      pb="max(0.625rem, env(safe-area-inset-bottom))"
      bg="surface"
      borderTop="1px solid {colors.border}"
      borderBottomRadius="xl"
      css={{ "& [type=submit]": { w: "auto" } }}
    >
      {children}
    </Flex>
  );
}

/** In the bar, beside Convert. */
export function BarText({ about, children }: { readonly about: ReactNode; readonly children?: ReactNode }) {
  return (
    <Box flex="1" minW="0" ps="1" fontVariantNumeric="tabular-nums" fontSize="sm" lineHeight={1.35}>
      <Box fontWeight={600}>{about}</Box>
      <Box fontSize={{ base: "xs", sm: "sm" }} color="fg.muted" lineClamp={3}>
        {children}
      </Box>
    </Box>
  );
}
