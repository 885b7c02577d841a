import { Suspense, lazy, useEffect, useState } from "react";
import { takeLinks } from "../../client/converter.ts";
import { droppedText, hasText } from "../../platform/transferred-text.ts";

/** Not part of the first scripts, because few visitors drag a link. A page that cannot load it takes no drops. */
const DropSheet = lazy(() => import("./DropSheet.tsx").catch(() => ({ default: () => null })));

/** Makes the whole page a drop target while a link or text is dragged over it. */
export function DropArea() {
  const [isOver, setIsOver] = useState(false);

  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    // Drags of the page's own pictures and links are ignored.
    let isOwnDrag = false;
    document.addEventListener("dragstart", () => (isOwnDrag = true), { signal });
    document.addEventListener("dragend", () => (isOwnDrag = false), { signal });
    document.addEventListener(
      "dragenter",
      (event) => {
        if (!isOwnDrag && event.dataTransfer && hasText(event.dataTransfer)) setIsOver(true);
      },
      { signal },
    );
    return () => unmounted.abort();
  }, []);

  if (!isOver) return null;
  return (
    <Suspense>
      <DropSheet onEnd={() => setIsOver(false)} onDrop={(data) => void takeLinks(droppedText(data))} />
    </Suspense>
  );
}
