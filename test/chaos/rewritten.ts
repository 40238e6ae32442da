import { readFileSync } from 'node:fs';
import { register, type LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Sabotage } from './options.js';

/** What a run breaks by rewriting modules of the service: the original text and its replacement. */
const REWRITES: Partial<Record<Sabotage, Record<string, [written: string, instead: string]>>> = {
  // Transactions trust their callers about state and time.
  transitions: {
    'domain/states.js': ['transition.from.includes(from)', 'true'],
    'commands/bookings/settle-payment.js': ['if (booking.end_at > at)', 'if (true)'],
    'commands/bookings/complete-booking.js': ['if (booking.end_at > now)', 'if (false)'],
  },
  lines: { 'commands/invoices/issue-documents.js': ['if (document.credit)', 'if (false)'] },
  exchange: {
    'domain/invoices/credited-tax.js': ['Math.min(totalGross(rest), totalGross(added) - paid_minor)', '0'],
  },
  caps: { 'domain/bookings/refund-shares.js': ['if (refund_caps) return refund_caps', 'return []'] },
};

/** Preloaded into the processes of the service: rewrites their modules as `CHAOS_BREAK` requires. */
export function rewriteModules(): void {
  register(import.meta.url);
}

/**
 * The hook for Node's module loader, which loads this module for it. Throws if a module's text is not as
 * expected.
 */
export const load: LoadHook = async (url, context, nextLoad) => {
  const rewrites = REWRITES[process.env.CHAOS_BREAK as Sabotage] ?? {};
  const name = Object.keys(rewrites).find((module) => url.endsWith(`/build/${module}`));
  if (!name) return nextLoad(url, context);
  const [written, instead] = rewrites[name]!;
  const source = readFileSync(fileURLToPath(url), 'utf8');
  if (!source.includes(written)) throw new Error(`${name} does not contain ${written}`);
  return { format: 'module', source: source.replace(written, instead), shortCircuit: true };
};
