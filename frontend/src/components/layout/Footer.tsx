import { Box, Flex, Spacer, chakra } from "@chakra-ui/react";
import { Suspense, lazy } from "react";
import { useDevice } from "../../client/stores.ts";
import { useTexts } from "../../texts/store.ts";
import { Link } from "../Link.tsx";
import { ColorSwitch } from "./ColorSwitch.tsx";
import { InstallButton } from "./InstallButton.tsx";
import { LanguageSwitch } from "./LanguageSwitch.tsx";

// Few visitors ever read it.
const DebugPanel = lazy(async () => ({ default: (await import("./DebugPanel.tsx")).DebugPanel }));

const LINKS = [
  { href: "/help", name: "help" },
  { href: "/contact", name: "contact" },
  { href: "/privacy", name: "privacy" },
  { href: "/terms", name: "terms" },
] as const;

const FooterLink = chakra(Link, {
  base: {
    display: "inline-flex",
    alignItems: "center",
    minH: "11",
    px: { base: "1.5", sm: "2" },
    borderRadius: "sm",
    _hover: { color: "fg" },
  },
});

export function Footer() {
  const texts = useTexts();
  const info = useDevice((state) => state.info);
  return (
    <Box as="footer" mt="16" mb="6">
      <Flex
        wrap="wrap"
        align="center"
        columnGap="1"
        justify={{ base: "space-between", sm: "start" }}
        pt="3"
        borderTop="1px solid {colors.border}"
        textStyle="meta"
      >
        <chakra.span display={{ base: "none", sm: "inline" }}>Tapedeck</chakra.span>
        <Spacer display={{ base: "none", sm: "block" }} />
        {LINKS.map(({ href, name }) => (
          <FooterLink key={href} to={href}>
            {texts.footer[name]}
          </FooterLink>
        ))}
        <LanguageSwitch />
      </Flex>
      <Flex wrap="wrap" align="center" justify="space-between" gap="2" mt="2">
        {info && (
          <Suspense>
            <DebugPanel info={info} />
          </Suspense>
        )}
        <InstallButton />
        <Box ms="auto">
          <ColorSwitch />
        </Box>
      </Flex>
    </Box>
  );
}
