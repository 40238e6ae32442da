export const epoch = (at: Date): number => Math.floor(at.getTime() / 1000);
