import { AccountingRefusal } from '../../../activities/failures.js';
import type { Accounting, NewDocument, NewLine } from '../../../activities/gateways/accounting.js';
import { createXeroAccounting } from '../../../activities/gateways/xero.js';
import { newKey, type Books, type Rig } from '../../support/accounting-rig.js';

/** The gateway for one organisation; it ignores the workspace id. */
export function gatewayFor(rig: Rig, { tenant, tokens }: Books, timeoutMs?: number): Accounting {
  return createXeroAccounting({
    apiUrl: rig.url(''),
    access: {
      token: async () => ({ accessToken: tokens.access_token, tenantId: tenant, limitedUntil: null }),
      refused: async () => undefined,
      isDisconnected: async () => true,
      limited: async () => undefined,
    },
    timeoutMs,
  });
}

export const WORKSPACE = 'ws_1';
let counter = 0;

/** A line of £25.00 and £5.00 of tax. */
export const bookLine = (overrides: Partial<NewLine> = {}): NewLine => ({
  description: 'Room hire',
  quantity: '1',
  unit_amount_minor: 2500,
  net_minor: 2500,
  tax_minor: 500,
  tax_type: 'OUTPUT2',
  account: null,
  ...overrides,
});

/** A document of £30.00 for a new contact. */
export async function document(
  accounting: Accounting,
  overrides: Partial<NewDocument> = {},
): Promise<NewDocument> {
  counter += 1;
  const contact = { number: 'mem_1', name: 'Grace Guest', email: 'grace@example.com' };
  return {
    number: `HF-${counter}`,
    reference: `Holdfast #${counter}`,
    contact_id: await accounting.ensureContact(WORKSPACE, contact, newKey()),
    currency: 'GBP',
    date: '2026-10-01',
    due_date: '2026-10-31',
    sales_account: '200',
    lines: [bookLine()],
    ...overrides,
  };
}

/** The failure of a call. */
export async function failure(call: Promise<unknown>): Promise<AccountingRefusal> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof Error && 'type' in outcome) return outcome as AccountingRefusal;
  throw new Error(`Expected an AccountingRefusal, not: ${String(outcome)}`);
}
