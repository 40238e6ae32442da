/** Whether a secret key of the platform at the processor is one of live mode. */
export const isLiveKey = (secretKey: string): boolean => /^(sk|rk)_live_/.test(secretKey);
