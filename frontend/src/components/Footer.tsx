import { Box, Flex, Spacer, chakra } from "@chakra-ui/react";
import { Link } from "react-router";
import { useIsSignedIn } from "../features/account/use-identity.ts";
import { DebugPanel } from "./DebugPanel.tsx";

const LINKS = [
  { href: "/help", label: "Help" },
  { href: "/contact", label: "Contact" },
  { href: "/privacy", label: "Privacy" },
  { href: "/terms", label: "Terms" },
];

const FooterLink = chakra(Link, {
  base: { display: "inline-flex", alignItems: "center", minH: "11", px: { base: "1.5", sm: "2" }, borderRadius: "sm", _hover: { color: "fg" } },
});

export function Footer() {
  const isSignedIn = useIsSignedIn();
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
        {/* A phone's top bar has no room for them. */}
        <Flex display={{ base: "contents", sm: "none" }}>
          {isSignedIn ? (
            <>
              <FooterLink to="/dashboard">Dashboard</FooterLink>
              <FooterLink to="/api/logout" reloadDocument>
                Logout
              </FooterLink>
        
    </>
        ) : (
          <FooterLink to="/login">Pro Login</FooterLink>
        )}
      </Flex>
      {LINKS.map(({ href, label }) => (
        <FooterLink key={href} to={href}>
          {label}
        </FooterLink>
      ))}
    </Flex>
    <DebugPanel />
    </Box>
  );
}
