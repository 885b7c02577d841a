import { Box, Button, chakra } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import type { FocusEvent, KeyboardEvent } from "react";
import { Link } from "react-router";
import type { Tier } from "../../../../common/tiers.ts";
import { useTexts } from "../../texts/store.ts";
import { MenuIcon } from "../icons.tsx";
import { SectionLink } from "./SectionLink.tsx";
import { WIDE_BAR } from "./wide-bar.ts";
import { TierBadge } from "./TierBadge.tsx";

const Panel = chakra("nav", {
  base: {
    position: "absolute",
    top: "calc(100% + {spacing.2})",
    insetInlineEnd: "0",
    zIndex: 10,
    minW: "14rem",
    maxW: "calc(100vw - 2rem)",
    p: "1",
    bg: "surface",
    border: "1px solid {colors.border}",
    borderRadius: "lg",
    boxShadow: "card",
    animation: "fadeIn 120ms",
    _motionReduce: { animation: "none" },
  },
});

const Item = chakra("span", {
  base: {
    display: "flex",
    alignItems: "center",
    minH: "11",
    px: "3",
    borderRadius: "sm",
    fontSize: "md",
    _hover: { bg: "bg.sunken" },
  },
});

export interface NavMenuProps {
  readonly tier: Tier;
  readonly isSignedIn: boolean;
}

/** The links of the menu, for the visitor. */
function Items({ tier, isSignedIn }: NavMenuProps) {
  const texts = useTexts().nav;
  return (
    <>
      <Item asChild>
        <SectionLink anchor="#converter">{texts.converter}</SectionLink>
      </Item>
      <Item asChild>
        <SectionLink anchor="#pricing">{texts.pricing}</SectionLink>
      </Item>
      {tier === "pro" && (
        <Item asChild>
          <Link to="/pro">{texts.proPage}</Link>
        </Item>
      )}
      {isSignedIn ? (
        <>
          <Item asChild>
            <Link to="/dashboard">{texts.dashboard}</Link>
          </Item>
          <Item asChild>
            <a href="/api/logout">{texts.logout}</a>
          </Item>
        </>
      ) : (
        <Item asChild>
          <Link to="/login">{texts.login}</Link>
        </Item>
      )}
      {tier === "free" && (
        <Item asChild>
          <Link to="/plans">{texts.upgrade}</Link>
        </Item>
      )}
    </>
  );
}

/**
 * The menu of the top bar: tier, sections and account, where the bar has no room for all of them. A list of links that
 * is shown and hidden, so Tab moves through it; Escape closes it. Chakra's Menu, of which the home page needs nothing else,
 * would make the first script larger.
 */
export function NavMenu({ tier, isSignedIn }: NavMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  const texts = useTexts().nav;

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !root.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [isOpen]);

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key !== "Escape" || !isOpen) return;
    setIsOpen(false);
    button.current?.focus();
  }

  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setIsOpen(false);
  }

  return (
    <Box
      ref={root}
      position="relative"
      flexShrink={0}
      css={{ [WIDE_BAR]: { display: "none" } }}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <Button
        ref={button}
        variant="ghost"
        size="sm"
        px="0"
        aria-label={texts.menu}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <MenuIcon />
      </Button>
      {isOpen && (
        <Panel id={panelId} aria-label={texts.menu}>
          <Box display="flex" px="3" py="2" minW="0">
            <TierBadge tier={tier} />
          </Box>
          <Box onClick={() => setIsOpen(false)}>
            <Items tier={tier} isSignedIn={isSignedIn} />
          </Box>
        </Panel>
      )}
    </Box>
  );
}
