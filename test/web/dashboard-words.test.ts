import { h } from 'preact';
import { render } from 'preact-render-to-string';
import test from 'ava';
import { Details } from '../../web/dashboard/audit-log/details.js';
import { Collection } from '../../web/dashboard/invoices/collection.js';
import { describePaymentReason } from '../../web/dashboard/payments/reasons.js';
import { Recovering } from '../../web/dashboard/shared/layout.js';
import type { ApiContext } from '../../api/http/context.js';
import type { InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { htmlText } from './html-text.js';
import type { Membership } from '../../db/queries/members/membership.js';

const ctx = {
  state: { membership: { workspace_id: 'ws_1', time_zone: 'Europe/London', currency: 'GBP' } },
} as unknown as ApiContext;

test('a payment says why it was refused, and a refund why it was made', (t) => {
  const failed = (reason: string) => describePaymentReason({ kind: 'charge', reason } as never, undefined);
  t.is(failed('insufficient_funds'), 'Declined: insufficient funds');
  t.is(failed('do_not_honor'), 'Declined: the bank gave no reason');
  const refunded = (reason: string | null, cause?: object) =>
    describePaymentReason({ kind: 'refund', reason } as never, cause as never);
  t.is(
    refunded('other', { kind: 'cancel', reason: 'Guest is ill' }),
    'Cancellation of the booking: “Guest is ill”',
  );
  t.is(refunded('other', { kind: 'adjustment', reason: null }), 'Credit on the invoice');
  t.is(refunded('other'), 'another reason');
  t.is(refunded(null), null);
});

test('an invoice shows how it is collected and what is next', (t) => {
  const told = (
    status: string,
    attempts: number,
    next_at: string | null,
    invoice = 'open',
    has_card = true,
  ): string =>
    htmlText(
      render(
        h(Collection, {
          ctx,
          invoice: {
            status: invoice,
            has_card,
            collection: { status, attempts, next_at },
          } as unknown as InvoiceRow,
        }),
      ),
    );
  const next = '2024-11-25T10:00:00Z';
  t.is(
    told('retrying', 1, next),
    'Retrying The card was declined. One charge attempt. Next charge or reminder: Mon 25 Nov 2024, 10:00.',
  );
  t.is(
    told('overdue', 4, null),
    'Reminders ended The invoice can still be paid. ' +
      '4 charge attempts. No more automatic charges or reminders.',
  );
  t.regex(told('scheduled', 0, null), /The card has not been charged\. The next step is being scheduled\.$/);
  t.regex(told('reminding', 0, next, 'open', false), /Reminding No card on file\. Next reminder/);
  t.is(told('scheduled', 0, next, 'void'), 'Ended', 'its run sees it later');
});

test('the audit log shows changes before and after, with amounts, times and words', (t) => {
  const renderDetails = (details: Record<string, unknown>) => htmlText(render(h(Details, { ctx, details })));
  t.is(
    renderDetails({
      before: { credit_limit_minor: null, start_at: '2024-11-24T10:00:00Z', tiers: [] },
      after: { credit_limit_minor: 50_000, start_at: '2024-11-24T11:00:00Z', tiers: ['pro', 'plus'] },
      currency: 'GBP',
    }),
    'credit limit, start, tiers, currency credit limit: none → £500.00 start: Sun 24 Nov 2024, 10:00 → ' +
      'Sun 24 Nov 2024, 11:00 tiers: none → pro, plus currency: GBP',
  );
  t.is(
    renderDetails({
      after: { name: 'Hall', tier_discounts: {}, rate_bps: 750, archived: false, ip_allowlist: [] },
    }),
    'name, tier discounts, rate and 2 more name: Hall tier discounts: none rate: 7.5% archived: no ' +
      'allowed addresses: any address',
  );
});

test('every page says that payments are paused, and since when facts are read', (t) => {
  const recovering_since = new Date('2024-11-24T10:04:00Z');
  const membership = { ...ctx.state.membership, recovering_since } as Membership;
  const words = htmlText(render(h(Recovering, { membership })));
  t.regex(
    words,
    /^Payments are paused\. Activity on the Stripe account since Sun 24 Nov 2024, 10:04 is being read again\./,
  );
});
