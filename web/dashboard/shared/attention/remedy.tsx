import type { AttentionItem } from '../../../../db/queries/workspaces/attention.js';
import { can, type Capability, type Role } from '../../../../domain/policies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { Form } from '../form.js';
import { amountInput } from '../money-field.js';
import { problemPath } from './items.js';

/** The action for a problem: a form of a page, or a link. */
type Remedy =
  | { label: string; submit: string; fields?: Record<string, string> }
  | { label: string; open: string };

/** The next step; null if waiting is all that can be done. */
export function findRemedy(item: AttentionItem, role: Role): Remedy | null {
  const { booking_id, payment_id, object_id, amount_minor, currency } = item;
  const object = problemPath(item, role);
  const ask: Remedy | null = booking_id
    ? { label: 'Check payment now', submit: `/bookings/${booking_id}/ask` }
    : null;
  switch (item.kind) {
    case 'hold_not_ended':
    case 'refund_not_requested':
    case 'refund_pending':
      return ask;
    case 'refund_failed':
      return {
        label: 'Retry refund',
        submit: `/payments/${payment_id}/refund`,
        fields: {
          amount_minor: amountInput({ amount_minor: amount_minor!, currency: currency! }),
          reason: item.reason ?? 'other',
          notify_payer: 'on',
        },
      };
    case 'refund_unfunded':
      return { label: 'View payment', open: `/payments/${payment_id}` };
    case 'disputed':
      return { label: 'View disputed payment', open: `/payments/${payment_id}` };
    case 'accounting_disconnected':
      return { label: 'Reconnect', open: '/accounting' };
    case 'endpoint_disabled':
      return { label: 'View endpoint', open: '/webhooks' };
    case 'processor_revoked':
      return { label: 'Reconnect', open: '/processor' };
    case 'account_restricted':
      return { label: 'View requirements', open: '/processor' };
    case 'mail_refused':
      if (booking_id) return { label: 'Resend email', submit: `/bookings/${booking_id}/send`, fields: {} };
      return object_id.startsWith('inv_') && object
        ? { label: 'Resend invoice', open: object }
        : object_id.startsWith('mem_') && object
          ? { label: 'Correct email address', open: object }
          : null;
    case 'time_zone_wrong':
      return object_id.startsWith('ws_')
        ? { label: 'Open settings', open: '/settings' }
        : { label: 'Open room', open: `/rooms/${object_id}` };
    case 'not_in_accounting':
      return { label: 'View invoice', open: `/invoices/${object_id}` };
    default:
      return null;
  }
}

/** The capability to use a remedy: forms of bookings need `all_bookings`, payments need `read_billing`. */
function needs(remedy: Remedy): Capability {
  if ('submit' in remedy) return remedy.submit.startsWith('/bookings/') ? 'all_bookings' : 'write_billing';
  return /^\/(payments|invoices)\//.test(remedy.open) ? 'read_billing' : 'write_billing';
}

/** Whether the role can act on a problem. Anyone can wait. */
export function mayAct(item: AttentionItem, role: Role): boolean {
  const remedy = findRemedy(item, role);
  return remedy === null || can(role, needs(remedy));
}

/** The button or link of a remedy. */
export function RemedyButton({ ctx, home, of }: { ctx: ApiContext; home: string; of: Remedy }) {
  if ('open' in of)
    return (
      <a class="button" href={home + of.open}>
        {of.label}
      </a>
    );
  return (
    <Form ctx={ctx} action={home + of.submit} once={of.fields !== undefined}>
      {Object.entries(of.fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button>{of.label}</button>
    </Form>
  );
}
