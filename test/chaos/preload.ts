import { shiftClock } from './clock.js';

/** Loaded before the modules of every process of a chaos run, by NODE_OPTIONS. */
const script = process.argv[1] ?? '';
const { CHAOS_CLOCK, CHAOS_BREAK } = process.env;

if (CHAOS_CLOCK && script.endsWith('worker/main.js')) shiftClock(CHAOS_CLOCK);
if ((CHAOS_BREAK === 'locks' || CHAOS_BREAK === 'exclusion') && /(api|worker)\/main\.js$/.test(script)) {
  const { withoutLocks } = await import('./unlocked.js');
  withoutLocks();
}
if (CHAOS_BREAK === 'keys' && script.endsWith('worker/main.js')) {
  const { withoutKeys } = await import('./keyless.js');
  withoutKeys();
}
