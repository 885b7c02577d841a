import { Flex, chakra } from "@chakra-ui/react";
import type { DeviceInfo } from "../../../../common/api.ts";
import { useTexts } from "../../texts/store.ts";

const SHOWN_CHARACTERS = 8;

/** The identity that the server sees, for support requests; folded by default. */
export function DebugPanel({ info }: { readonly info: DeviceInfo }) {
  const texts = useTexts().debug;
  return (
    <chakra.details textStyle="meta" fontSize="xs">
      <chakra.summary display="inline-flex" alignItems="center" minH="11" px="2" cursor="pointer" borderRadius="sm">
        {texts.title}
      </chakra.summary>
      <Flex as="ul" listStyleType="none" wrap="wrap" columnGap="5" px="2">
        <li>{texts.device(info.deviceId.slice(-SHOWN_CHARACTERS))}</li>
        <li>{texts.auth(info.authenticated)}</li>
        <li>{texts.user(info.userId)}</li>
      </Flex>
    </chakra.details>
  );
}
