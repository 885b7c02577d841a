/** The description of the API, shown by Swagger UI. It is loaded here alone: it is larger than all pages together. */
import { Box, Button } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import { useApiTexts } from "../../texts/api/index.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

async function load(place: HTMLElement | null): Promise<void> {
  const { showDescription } = await import("./show-description.ts");
  await showDescription(place);
}

function Description({ onRetry }: { onRetry: () => void }) {
  const [phase, setPhase] = useState<"loading" | "failed" | "ready">("loading");
  const place = useRef<HTMLDivElement>(null);
  const texts = useApiTexts();
  useEffect(() => {
    load(place.current).then(
      () => setPhase("ready"),
      () => setPhase("failed"),
    );
  }, []);
  return (
    <>
      {phase === "loading" && (
        <Box role="status" aria-label={texts.loading} minH="60vh" data-waits-for-app="">
          <Skeleton h="6" maxW="24rem" mb="4" />
          <Skeleton h="40" />
        </Box>
      )}
      {phase === "failed" && (
        <Box role="alert">
          {texts.failed}{" "}
          <Button size="sm" variant="outline" onClick={onRetry}>
            {texts.retry}
          </Button>
        </Box>
      )}
      {/* The description is in English, and its examples are code. */}
      <Box ref={place} lang="en" dir="ltr" overflowX="auto" hidden={phase !== "ready"} />
    </>
  );
}

export function ApiDescription() {
  const [tries, setTries] = useState(1);
  return <Description key={tries} onRetry={() => setTries(tries + 1)} />;
}
