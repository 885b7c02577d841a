import { Flex, chakra } from "@chakra-ui/react";
import { useDevice } from "../app.ts";

const SHOWN_CHARACTERS = 8;

/** Who the server takes this browser for; folded away until somebody who helps asks for it. */
export function DebugPanel() {
  const info = useDevice((state) => state.info);
  if (!info) return null;
  return (
    <chakra.details textStyle="meta" fontSize="xs">
      <chakra.summary display="inline-flex" alignItems="center" minH="11" px="2" cursor="pointer" borderRadius="sm">
        Debug
      </chakra.summary>
      <Flex as="ul" listStyleType="none" wrap="wrap" columnGap="5" px="2">
        <li>Device {info.deviceId.slice(-SHOWN_CHARACTERS)}</li>
        <li>Auth {info.authenticated ? "Yes" : "No"}</li>
        <li>User {info.userId ?? "Anonymous"}</li>
      </Flex>
    </chakra.details>
  );
}
