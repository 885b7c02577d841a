import { Box, Button } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { isOnline } from "../platform/runtime.ts";
import { useTexts } from "../texts/store.ts";

/**
 * What is left when the page itself breaks; the conversions go on at the server. Without a network it is
 * the page's script that did not come, and it is asked for again as soon as there is one.
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
      {/* Reloading without a network would lose even this. */}
      {!isOffline && <Button onClick={() => window.location.reload()}>{texts.reload}</Button>}
    </Box>
  );
}
