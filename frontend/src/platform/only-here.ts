/** @returns whether a host names the device that asks, as browsers write it: other devices reach themselves under it */
export const isOnlyHere = (hostname: string): boolean => /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
