import { setImmediate } from 'node:timers/promises';

/** How long a response is computed before other requests get a turn. */
const TURN_MS = 5;

/** Lets other requests run if it is time to. `isDue` checks this without waiting. */
export interface Turn {
  (): Promise<void>;
  isDue(): boolean;
}

/**
 * For a response that is computed in steps: call it after each step. It lets other requests run every 5 ms.
 */
export function takeTurns(): Turn {
  let began = performance.now();
  const isDue = (): boolean => performance.now() - began >= TURN_MS;
  const turn = async (): Promise<void> => {
    if (!isDue()) return;
    await setImmediate();
    began = performance.now();
  };
  return Object.assign(turn, { isDue });
}
