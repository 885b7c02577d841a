import { useSyncExternalStore } from "react";

const darkScheme = (): MediaQueryList => window.matchMedia("(prefers-color-scheme: dark)");

/** The chosen scheme is on the root element; without it the system's scheme applies. */
function readIsDark(): boolean {
  const { colorScheme } = document.documentElement.style;
  return colorScheme === "" ? darkScheme().matches : colorScheme === "dark";
}

function listen(onChange: () => void): () => void {
  const choice = new MutationObserver(onChange);
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
  const system = darkScheme();
  system.addEventListener("change", onChange);
  return () => {
    choice.disconnect();
    system.removeEventListener("change", onChange);
  };
}

/** Whether the page is dark now, for what cannot use the theme's colours. */
export function useIsDark(): boolean {
  return useSyncExternalStore(listen, readIsDark, () => false);
}
