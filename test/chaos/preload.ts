import { shiftClock } from './clock.js';

/** Loaded before the modules of every process of a chaos run, by NODE_OPTIONS. */
const script = process.argv[1] ?? '';
const { CHAOS_CLOCK, CHAOS_BREAK } = process.env;
const WORKER = /worker\/main(\.files)?\.js$/;
const SERVICE = /(api|worker)\/main(\.files)?\.js$/;

if (CHAOS_CLOCK && WORKER.test(script)) shiftClock(CHAOS_CLOCK);

interface Break {
  process: RegExp;
  begin: () => Promise<void>;
}
const REWRITTEN: Break = {
  process: SERVICE,
  begin: async () => (await import('./rewritten.js')).rewriteModules(),
};
/** Breaks a guarantee in the processes of the service. */
const BREAKS: Record<string, Break> = {
  exclusion: { process: SERVICE, begin: async () => (await import('./unlocked.js')).withoutLocks() },
  locks: { process: SERVICE, begin: async () => (await import('./unlocked.js')).withoutLocks() },
  attempts: { process: SERVICE, begin: async () => (await import('./unlocked.js')).withoutAttempts() },
  keys: { process: WORKER, begin: async () => (await import('./keyless.js')).withoutKeys() },
  transitions: REWRITTEN,
  lines: REWRITTEN,
  exchange: REWRITTEN,
  caps: REWRITTEN,
};
const broken = BREAKS[CHAOS_BREAK ?? ''];
if (broken?.process.test(script)) await broken.begin();
