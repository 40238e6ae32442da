/** True if a secret key of the platform is a live-mode key. */
export const isLiveKey = (secretKey: string): boolean => /^(sk|rk)_live_/.test(secretKey);
