import { Box, Flex, chakra } from "@chakra-ui/react";
import { TIERS } from "../../../common/tiers.ts";
import { useDevice } from "../client/stores.ts";
import { useIsSignedIn } from "../client/use-identity.ts";
import { useTexts } from "../texts/store.ts";
import { NARROW } from "../theme/narrow.ts";

/** Target of the affiliate promotion. */
const PROMOTION_URL = "https://www.example.com/headphones?from=tapedeck";

const Label = chakra("span", {
  base: {
    border: "1px solid {colors.border}",
    borderRadius: "xs",
    px: "1.5",
    fontSize: "2xs",
    letterSpacing: "0.06em",
    textTransform: "uppercase",
    flexShrink: 0,
  },
});

const Promotion = chakra("a", {
  base: {
    display: "flex",
    alignItems: "center",
    minH: "11",
    minW: "0",
    overflowWrap: "anywhere",
    borderRadius: "sm",
    textDecoration: "underline",
    textDecorationColor: "border",
    textUnderlineOffset: "3px",
    _hover: { color: "fg", textDecorationColor: "currentColor" },
  },
});

const Headphones = () => (
  <svg
    width="44"
    height="44"
    viewBox="0 0 44 44"
    fill="none"
    stroke="currentColor"
    strokeWidth="2.5"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d="M7 27v-4a15 15 0 0 1 30 0v4" />
    <rect x="5" y="26" width="8" height="12" rx="3.5" />
    <rect x="31" y="26" width="8" height="12" rx="3.5" />
  </svg>
);

/**
 * A static affiliate promotion: it loads nothing from other sites and counts nothing. It is empty for
 * tiers without ads, and the leaderboard only appears for signed-out visitors.
 */
export function Ad({ slot }: { slot: "header" | "leaderboard" | "footer" }) {
  const showsAds = useDevice((state) => TIERS[state.tier].showsAds);
  const isTierKnown = useDevice((state) => state.isTierKnown);
  const isSignedIn = useIsSignedIn();
  const texts = useTexts().ads;
  const isLarge = slot === "leaderboard";
  if (!showsAds || (isLarge && isSignedIn)) return null;
  // Hidden but with its full height until the visitor's tier is known, so that nothing moves.
  const isCertain = isTierKnown && !(isLarge && isSignedIn === null);
  return (
    <Flex
      as="aside"
      aria-label={texts.names[slot]}
      css={{ [NARROW]: { flexWrap: "wrap" } }}
      align="center"
      columnGap="3.5"
      mt={slot === "header" ? undefined : "11"}
      border="1px dashed {colors.border}"
      borderRadius="lg"
      px="4"
      py={isLarge ? "4" : "1"}
      minH={isLarge ? "5.625rem" : undefined}
      visibility={isCertain ? undefined : "hidden"}
      textStyle="meta"
    >
      {isLarge && (
        <Box color="accent.text" flexShrink={0}>
          <Headphones />
        </Box>
      )}
      <Label>{texts.mark}</Label>
      <Promotion href={PROMOTION_URL} target="_blank" rel="sponsored noopener nofollow">
        {texts[slot]}
      </Promotion>
    </Flex>
  );
}
