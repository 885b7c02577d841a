import { chakra } from "@chakra-ui/react";
import type { Tier } from "../../../../common/tiers.ts";
import { useUser } from "../../client/stores.ts";
import { useIsSignedIn } from "../../client/use-identity.ts";
import { nameOf } from "../../stores/user.ts";
import { useTexts } from "../../texts/store.ts";
import { Link } from "../Link.tsx";

const Badge = chakra("span", {
  base: {
    border: "1px solid {colors.border}",
    borderRadius: "full",
    px: "2.5",
    py: "1",
    fontSize: "xs",
    fontWeight: 600,
    color: "fg.muted",
    whiteSpace: "nowrap",
    maxW: "13rem",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
});

const ProLink = chakra(Link, {
  base: {
    display: "inline-flex",
    alignItems: "center",
    minW: "0",
    minH: "11",
    borderRadius: "full",
    _hover: { "& > span": { color: "fg" } },
  },
});

/** The visitor's tier, with the name of a signed-in user; for Pro it leads to the page of Pro. */
export function TierBadge({ tier }: { tier: Tier }) {
  const texts = useTexts().nav;
  const user = useUser((state) => state.user);
  const isSignedIn = useIsSignedIn();
  const label = tier === "pro" ? texts.proUser : texts.freeUser;
  const badge = (
    // The key makes a badge with a name a new element, so that it does not count as a layout shift.
    <Badge key={user?.id} title={user?.email} visibility={isSignedIn === (user !== null) ? undefined : "hidden"}>
      {user ? `${label} · ${nameOf(user)}` : label}
    </Badge>
  );
  return user && tier === "pro" ? <ProLink to="/pro">{badge}</ProLink> : badge;
}
