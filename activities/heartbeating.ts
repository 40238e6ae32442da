import { heartbeat } from '@temporalio/activity';

const EVERY_MS = 3_000;

/** Heartbeats while a step runs that makes many calls, so that slow ones do not end the attempt. */
export async function heartbeating<T>(step: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), EVERY_MS);
  try {
    return await step();
  } finally {
    clearInterval(timer);
  }
}
