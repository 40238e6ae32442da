import { BOOKING_WORDS } from '../../../domain/bookings/state.js';
import { sentenceCase } from '../../ui/formats.js';

/** Labels of statuses that differ from their names. */
const NAMES: Record<string, string> = BOOKING_WORDS;

const tones = (tone: 'good' | 'warn' | 'bad', statuses: string): [string, string][] =>
  statuses.split(' ').map((status) => [status, tone]);

/** The colours of statuses; others are grey. */
const TONES = new Map([
  ...tones('good', 'active confirmed delivered enabled paid running succeeded won'),
  ...tones('warn', 'authorised inquiry invited open partially_refunded paused pending'),
  ...tones('warn', 'pending_payment trialing waiting'),
  ...tones('bad', 'disabled disputed failed overdue revoked'),
]);

/** The label of a status: `no_show` → `No-show`. */
const statusName = (value: string): string => sentenceCase(NAMES[value] ?? value);

/** A status as a badge. `name`: what it is called here, if that differs. */
export function Status({ value, name = value }: { value: string; name?: string }) {
  return <span class={`status ${TONES.get(value) ?? ''}`}>{statusName(name)}</span>;
}
