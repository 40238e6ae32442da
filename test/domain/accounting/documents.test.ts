import test from 'ava';
import fc from 'fast-check';
import {
  accountingProblem,
  nextAccountingStep,
  documentInReference,
  nextPayment,
  receivedInAccounting,
  referenceOfPart,
  type AccountingStep,
  type AccountingView,
  type KnownDocument,
} from '../../../domain/accounting/documents.js';
import { INVOICE_STATUSES } from '../../../domain/states.js';

const REFERENCE = 'Holdfast #1';
const main = {
  source_id: 'inv_1',
  kind: 'invoice',
  number: 'HH-1',
  total_minor: 3_000,
  settled: true,
} as const;
const topUp = { ...main, source_id: 'pay_1', number: 'HH-1-T1', total_minor: 1_200 } as const;
const credit = {
  ...main,
  source_id: 'pay_2',
  kind: 'credit_note',
  number: 'HH-1-C1',
  total_minor: 600,
} as const;

const view = (overrides: Partial<AccountingView>): AccountingView => ({
  status: 'open',
  currency: 'GBP',
  accounting_reference: REFERENCE,
  expected: [main],
  known: [],
  ...overrides,
});
const known = (overrides: Partial<KnownDocument> = {}): KnownDocument => ({
  source_id: 'inv_1',
  kind: 'invoice',
  status: 'submitted',
  reference: REFERENCE,
  total_minor: 3_000,
  outstanding_minor: 3_000,
  credited_minor: 0,
  ...overrides,
});

const steps: [string, Partial<AccountingView>, AccountingStep | null][] = [
  ['an open invoice is created for approval', {}, { do: 'create', source_id: 'inv_1', approved: false }],
  ['an open invoice that was sent needs no write', { known: [known()] }, null],
  [
    'a differing reference is corrected',
    { known: [known({ reference: 'X' })] },
    { do: 'rename', source_id: 'inv_1' },
  ],
  [
    'a document with a different total is not written to',
    { known: [known({ total_minor: 1 })], status: 'paid' },
    null,
  ],
  ['a draft invoice is not sent', { status: 'draft' }, null],
  ['a void invoice that was never sent needs no write', { status: 'void' }, null],
  [
    'a void invoice whose create has an unknown outcome is voided',
    { status: 'void', known: [known({ status: 'unknown' })] },
    { do: 'void', source_id: 'inv_1' },
  ],
  [
    'a void invoice that was sent is voided',
    { status: 'void', known: [known()] },
    { do: 'void', source_id: 'inv_1' },
  ],
  [
    'a void invoice that was deleted there needs no write',
    { status: 'void', known: [known({ status: 'deleted' })] },
    null,
  ],
  [
    'a paid invoice is created as approved',
    { status: 'paid' },
    { do: 'create', source_id: 'inv_1', approved: true },
  ],
  [
    'a paid invoice that waits for approval is approved',
    { status: 'paid', known: [known()] },
    { do: 'approve', source_id: 'inv_1' },
  ],
  [
    'a paid, approved invoice gets its payment',
    { status: 'paid', known: [known({ status: 'authorised' })] },
    { do: 'pay', source_id: 'inv_1' },
  ],
  [
    'a top-up follows its invoice',
    { status: 'paid', expected: [main, topUp], known: [known({ status: 'paid' })] },
    { do: 'create', source_id: 'pay_1', approved: true },
  ],
  [
    'a credit note follows its invoice',
    { status: 'refunded', expected: [main, credit], known: [known({ status: 'paid' })] },
    { do: 'credit', source_id: 'pay_2' },
  ],
  [
    'a settled credit note is refunded',
    {
      status: 'paid',
      expected: [main, credit],
      known: [
        known({ status: 'paid' }),
        known({ source_id: 'pay_2', kind: 'credit_note', status: 'authorised', total_minor: 600 }),
      ],
    },
    { do: 'refund', source_id: 'pay_2' },
  ],
  [
    'a credit note without a settled refund waits',
    {
      status: 'paid',
      expected: [main, { ...credit, settled: false }],
      known: [
        known({ status: 'paid' }),
        known({ source_id: 'pay_2', kind: 'credit_note', status: 'authorised', total_minor: 600 }),
      ],
    },
    null,
  ],
  [
    'a credit note that a bookkeeper has changed is left alone',
    {
      status: 'paid',
      expected: [main, credit],
      known: [
        known({ status: 'paid' }),
        known({ source_id: 'pay_2', kind: 'credit_note', status: 'authorised', total_minor: 500 }),
      ],
    },
    null,
  ],
  ['an invoice without documents needs no write', { status: 'paid', expected: [] }, null],
];
for (const [name, given, expected] of steps)
  test(`next step: ${name}`, (t) => t.deepEqual(nextAccountingStep(view(given)), expected));

test('from any initial state the steps end, and none is repeated', (t) => {
  const statuses = ['unknown', 'submitted', 'authorised', 'paid', 'voided', 'deleted'] as const;
  const initial = fc.option(fc.constantFrom(...statuses), { nil: undefined });
  fc.assert(
    fc.property(fc.constantFrom(...INVOICE_STATUSES), initial, (status, at) => {
      const documents = new Map<string, KnownDocument>();
      if (at) documents.set('inv_1', known({ status: at }));
      const taken: string[] = [];
      for (;;) {
        const step = nextAccountingStep(
          view({ status, expected: [main, topUp, credit], known: [...documents.values()] }),
        );
        if (!step) return;
        taken.push(`${step.do} ${step.source_id}`);
        t.is(new Set(taken).size, taken.length, taken.join(', '));
        const document = [main, topUp, credit].find(({ source_id }) => source_id === step.source_id)!;
        const becomes = {
          create: 'approved' in step && step.approved ? 'authorised' : 'submitted',
          approve: 'authorised',
          pay: 'paid',
          void: 'voided',
          rename: documents.get(step.source_id)?.status,
          credit: 'authorised',
          refund: 'paid',
        }[step.do] as KnownDocument['status'];
        documents.set(step.source_id, {
          ...document,
          status: becomes,
          reference: REFERENCE,
          outstanding_minor: 0,
          credited_minor: 0,
        });
      }
    }),
  );
});

test('differences that no write can resolve are reported', (t) => {
  t.is(accountingProblem(view({ known: [known()] })), null);
  t.regex(accountingProblem(view({ known: [known({ total_minor: 2_999 })] }))!, /£29\.99 .* £30\.00/);
  t.regex(
    accountingProblem(view({ known: [known({ status: 'voided' })] }))!,
    /voided in the accounting system/,
  );
  t.regex(accountingProblem(view({ known: [known({ status: 'paid' })] }))!, /Record the payment here/);
  const credited = known({ status: 'authorised', outstanding_minor: 2_000, credited_minor: 1_000 });
  t.regex(accountingProblem(view({ status: 'paid', known: [credited] }))!, /credit of £10\.00 .* Remove it/);
  const failed = known({ source_id: 'pay_9', kind: 'credit_note', status: 'paid', total_minor: 600 });
  t.regex(
    accountingProblem(view({ status: 'paid', known: [known({ status: 'paid' }), failed] }))!,
    /credit note/,
  );
});

test('amounts allocated in the accounting system are neither paid twice nor counted as money', (t) => {
  const credited = known({ status: 'authorised', outstanding_minor: 2_000, credited_minor: 1_000 });
  const paid = view({ status: 'paid', known: [credited] });
  t.is(nextAccountingStep(paid), null);
  t.deepEqual(receivedInAccounting(paid), { ledger: 3_000, accounting: 0 });
  const allocated = known({
    ...credit,
    status: 'authorised',
    outstanding_minor: 0,
    credited_minor: 600,
  });
  const refunded = view({
    status: 'paid',
    expected: [main, credit],
    known: [known({ status: 'paid', outstanding_minor: 0 }), allocated],
  });
  t.is(nextAccountingStep(refunded), null);
  t.regex(accountingProblem(refunded)!, /applied to an invoice/);
  t.deepEqual(receivedInAccounting(refunded), { ledger: 2_400, accounting: 3_000 });
});

const part = (source_id: string, amount_minor: number, day = '2026-10-20') => ({
  source_id,
  reference: referenceOfPart('inv_1', source_id, false),
  amount_minor,
  day,
});
const unpaid = { total_minor: 120, outstanding_minor: 120, paid: [] };

test('each part of the money is a payment there, the oldest first, and none is made twice', (t) => {
  const parts = [part('pay_1', 50), part('pay_2', 70, '2026-11-08')];
  t.deepEqual(nextPayment(parts, unpaid), parts[0]!);
  const first = { ...unpaid, outstanding_minor: 70, paid: [{ reference: 'inv_1 pay_1', amount_minor: 50 }] };
  t.deepEqual(nextPayment(parts, first), parts[1]!);
  const second = { ...unpaid, outstanding_minor: 50, paid: [{ reference: 'inv_1 pay_2', amount_minor: 70 }] };
  t.deepEqual(nextPayment(parts, second), parts[0]!, 'whichever is there');
  t.is(nextPayment(parts, { ...unpaid, outstanding_minor: 0 }), null);
});

test('the reference of a payment there identifies its document', (t) => {
  for (const isOnly of [true, false])
    t.is(documentInReference(referenceOfPart('inv_1', 'pay_1', isOnly)), 'inv_1');
  t.is(referenceOfPart('inv_1', 'pay_1', true), 'inv_1');
});

test('payments made there by others count for the oldest parts', (t) => {
  const parts = [part('pay_1', 50), part('pay_2', 70)];
  const paidThere = (amount_minor: number) => ({
    total_minor: 120,
    outstanding_minor: 120 - amount_minor,
    paid: [{ reference: 'Transfer', amount_minor }],
  });
  t.deepEqual(nextPayment(parts, paidThere(20)), part('pay_1', 30));
  t.deepEqual(nextPayment(parts, paidThere(50)), part('pay_2', 70));
  t.deepEqual(nextPayment(parts, paidThere(60)), part('pay_2', 60));
  t.is(nextPayment(parts, paidThere(120)), null, 'as one payment of all');
});

test('payments there end with nothing outstanding, whatever was paid before', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(5), { maxLength: 6 }),
      fc.nat(100),
      (amounts, lost, byOthers) => {
        const parts = amounts.map((amount, n) => part(`pay_${n}`, amount));
        const total_minor = amounts.reduce((sum, amount) => sum + amount, 0);
        const before = [...new Set(lost)].flatMap((n) => (parts[n] ? [parts[n]] : []));
        const paid = before.map(({ reference, amount_minor }) => ({ reference, amount_minor }));
        let outstanding_minor = paid.reduce((rest, { amount_minor }) => rest - amount_minor, total_minor);
        const others = Math.min(byOthers, outstanding_minor);
        if (others > 0) paid.push({ reference: 'Transfer', amount_minor: others });
        outstanding_minor -= others;
        for (let calls = 0; ; calls++) {
          const next = nextPayment(parts, { total_minor, outstanding_minor, paid });
          if (!next) break;
          t.true(next.amount_minor > 0 && next.amount_minor <= outstanding_minor);
          t.true(calls < parts.length && !paid.some(({ reference }) => reference === next.reference));
          paid.push({ reference: next.reference, amount_minor: next.amount_minor });
          outstanding_minor -= next.amount_minor;
        }
        t.is(outstanding_minor, 0);
      },
    ),
  );
});
