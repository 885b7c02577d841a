import { Box, Toast, Toaster } from "@chakra-ui/react";
import { toaster } from "../toaster.ts";
import { CloseIcon } from "./icons.tsx";

const MARK_COLOR: Record<string, string> = { success: "ok", error: "bad" };

/** Where toasts appear; rendered once. */
export function Toasts() {
  return (
    <Toaster toaster={toaster}>
      {(toast) => (
        <Toast.Root>
          <Box w="1" alignSelf="stretch" my="2" borderRadius="full" flexShrink={0} bg={MARK_COLOR[toast.type ?? ""] ?? "accent"} />
          <Box py="2" minW="0">
            <Toast.Title>{toast.title}</Toast.Title>
            {toast.description && <Toast.Description>{toast.description}</Toast.Description>}
          </Box>
          <Toast.CloseTrigger aria-label="Dismiss">
            <CloseIcon />
          </Toast.CloseTrigger>
        </Toast.Root>
      )}
    </Toaster>
  );
}
