import { Box, Button } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { isOnline } from "../platform/runtime.ts";
import { useTexts } from "../texts/store.ts";

/**
 * Shown when rendering a page fails; conversions continue on the server. Offline, the cause is a script that
 * could not be loaded, so the page reloads when the network is back.
 */
export function Failure() {
  const texts = useTexts().failure;
  const [isOffline] = useState(() => !isOnline());
  useEffect(() => {
    if (!isOffline) return;
    const reopen = (): void => window.location.reload();
    window.addEventListener("online", reopen, { once: true });
    return () => window.removeEventListener("online", reopen);
  }, [isOffline]);
  return (
    <Box as="main" maxW="page" mx="auto" px="6" py="16" role="alert">
      <Box as="h1" textStyle="heading" mb="2">
        {isOffline ? texts.offlineTitle : texts.title}
      </Box>
      <Box textStyle="lead" color="fg.muted" mb="6">
        {isOffline ? texts.offlineText : texts.text}
      </Box>
      {/* Reloading offline would lose this page too. */}
      {!isOffline && <Button onClick={() => window.location.reload()}>{texts.reload}</Button>}
    </Box>
  );
}
