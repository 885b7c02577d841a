/** Icons. All are decorative; the button around each has the accessible name. */
import type { ReactNode } from "react";

export function Icon({ children }: { children: ReactNode }) {
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
export const MenuIcon = () => (
  <Icon>
    <path d="M3 5h12M3 9h12M3 13h12" />
  </Icon>
);
export const SunIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="3.2" />
    <path d="M9 1.8v1.4M9 14.8v1.4M1.8 9h1.4M14.8 9h1.4M3.9 3.9l1 1M13.1 13.1l1 1M3.9 14.1l1-1M13.1 4.9l1-1" />
  </Icon>
);
export const MoonIcon = () => (
  <Icon>
    <path d="M14.8 11.2A6.3 6.3 0 1 1 6.8 3.2a5 5 0 0 0 8 8z" />
  </Icon>
);
export const SystemIcon = () => (
  <Icon>
    <rect x="2.5" y="3.5" width="13" height="8.5" rx="1.5" />
    <path d="M6.5 15h5" />
  </Icon>
);
/** Draws extra lines while it is on, so that the state does not depend on colour. */
export const BellIcon = ({ isRinging }: { isRinging: boolean }) => (
  <Icon>
    <path d="M4.5 12.5c.9-1 1.1-2.2 1.1-4.2a3.4 3.4 0 0 1 6.8 0c0 2 .2 3.2 1.1 4.2zM7.6 15a1.6 1.6 0 0 0 2.8 0" />
    {isRinging && <path d="M3.2 3.2A6.5 6.5 0 0 0 1.8 6.6M14.8 3.2a6.5 6.5 0 0 1 1.4 3.4" />}
  </Icon>
);
