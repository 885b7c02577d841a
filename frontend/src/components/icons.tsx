/** The few signs the product uses; decoration only, the button around each carries the words. */
import type { ReactNode } from "react";

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const CloseIcon = () => (
  <Icon>
    <path d="M5 5l8 8M13 5l-8 8" />
  </Icon>
);
export const DownloadIcon = () => (
  <Icon>
    <path d="M9 3v9M5 8.5L9 12.5l4-4M4 15.5h10" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="M5 9.4l2.6 2.6L13 6.6" />
  </Icon>
);
export const FoldIcon = () => (
  <Icon>
    <path d="M7 4.5L11.5 9L7 13.5" />
  </Icon>
);
