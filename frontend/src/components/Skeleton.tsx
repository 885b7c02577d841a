import { chakra } from "@chakra-ui/react";

/** A place whose content is loading. Chakra's own would bring its stacks and circles to the first scripts. */
export const Skeleton = chakra("div", {
  base: {
    bg: "track",
    borderRadius: "sm",
    animation: "breathe 1.6s ease-in-out infinite",
    _motionReduce: { animation: "none" },
  },
});
