import { readFileSync } from 'node:fs';
import { register, type LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What judges state and time, by module: what is written there, and what takes its place. */
const JUDGEMENTS: Record<string, [judged: string, unjudged: string]> = {
  'domain/states.js': ['transition.from.includes(from)', 'true'],
  'commands/bookings/settle-payment.js': ['if (booking.end_at > at)', 'if (true)'],
  'commands/bookings/complete-booking.js': ['if (booking.end_at > now)', 'if (false)'],
};

/** Preloaded into the processes of the service: their transactions trust their callers about state and time. */
export function withoutJudgement(): void {
  register(import.meta.url);
}

/** The hook of Node's module loader, which loads this module for it. Throws if a module is not written as expected. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const name = Object.keys(JUDGEMENTS).find((module) => url.endsWith(`/build/${module}`));
  if (!name) return nextLoad(url, context);
  const [judged, unjudged] = JUDGEMENTS[name]!;
  const source = readFileSync(fileURLToPath(url), 'utf8');
  if (!source.includes(judged)) throw new Error(`${name} does not contain ${judged}`);
  return { format: 'module', source: source.replace(judged, unjudged), shortCircuit: true };
};
