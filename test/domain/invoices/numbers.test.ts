import test from 'ava';
import {
  describeInvoice,
  highestNumbers,
  nameOfInvoice,
  parseOrdinal,
  documentInBooks,
  documentInCharge,
  whyNoDocument,
} from '../../../domain/invoices/document-number.js';
import {
  documentNumberIn,
  nextDocumentNumber,
  nextNumberInBooks,
  numberInBooks,
  documentSuffix,
} from '../../../domain/invoices/document.js';
import { invoiceNumberTyped } from '../../../domain/invoices/invoice.js';

const metadata = { invoice_id: 'inv_1' };

test('a charge has the invoice number that its payer sees, and recovery reads the numbers from it', (t) => {
  const invoice = { number: 13, document_number: 'HH-12', reference: null };
  const descriptions = [describeInvoice(invoice), describeInvoice({ ...invoice, reference: 'PO 4711' })];
  t.deepEqual(descriptions, ['Invoice HH-12', 'Invoice HH-12 — PO 4711']);
  for (const description of descriptions)
    t.deepEqual(
      documentInCharge({ description, metadata }),
      { id: 'inv_1', number: 12, document: 'HH-12' },
      description,
    );
});

test('a charge for an invoice that is not ours has no number', (t) => {
  for (const description of [null, '', 'Blue room, Thu 26 Nov', 'Invoice', 'Payment for Invoice HH-99'])
    t.is(documentInCharge({ description, metadata }), null, `${description}`);
  t.is(documentInCharge({ description: 'Invoice AB-90210', metadata: {} }), null, "the operator's own");
});

test('an invoice in the books is ours by its reference, and has the numbers of both', (t) => {
  const found = { status: 'paid' as const, total_minor: 100 };
  const seen = [
    documentInBooks({ ...found, number: 'HH-9', reference: 'Holdfast #40 — Order 7' }),
    documentInBooks({ ...found, number: 'HH-12-2-T1', reference: 'Holdfast #30', status: 'voided' }),
    documentInBooks({ ...found, number: 'Old 77', reference: 'Holdfast #8', total_minor: 0.5 }),
  ];
  t.deepEqual(seen, [
    { number: 40, document: 'HH-9', total_minor: 100 },
    { number: 30, document: 'HH-12-2-T1' },
    { number: 8, document: null },
  ]);
  t.is(documentInBooks({ ...found, number: 'HH-13', reference: 'Order 13' }), null);
  t.deepEqual(highestNumbers(seen as never), { number: 40, ordinal: 12 });
  t.deepEqual(highestNumbers([]), { number: 0, ordinal: 0 });
  const ordinals = ['HH-35', 'HH-35-C1', 'HH-35-2', 'HH-S3', 'hh-35', 'HH35'].map(parseOrdinal);
  t.deepEqual(ordinals, [35, 35, 35, null, null, null]);
});

test('staff see the reference of an invoice without a document number', (t) => {
  t.is(nameOfInvoice({ number: 40, document_number: 'HH-35' }), 'HH-35');
  t.is(nameOfInvoice({ number: 40, document_number: null }), 'Holdfast #40');
  t.deepEqual(['35', '#35', 'Holdfast #40', 'holdfast 40', 'HH-35', 'x'].map(invoiceNumberTyped), [
    { number: 35, of: 'document' },
    { number: 35, of: 'document' },
    { number: 40, of: 'reference' },
    { number: 40, of: 'reference' },
    null,
    null,
  ]);
});

test('an invoice that will get no document says why', (t) => {
  const amount = { total_minor: 1 };
  t.is(whyNoDocument({ ...amount, status: 'open' }, 'pending_payment'), null);
  t.is(whyNoDocument({ ...amount, status: 'draft' }, null), null);
  t.is(whyNoDocument({ ...amount, status: 'void' }, 'expired'), 'hold_expired');
  t.is(whyNoDocument({ ...amount, status: 'void' }, 'cancelled'), 'cancelled_unpaid');
  t.is(whyNoDocument({ ...amount, status: 'void' }, null), 'voided');
  t.is(whyNoDocument({ ...amount, status: 'cancelled' }, null), 'draft_cancelled');
  t.is(whyNoDocument({ total_minor: 0, status: 'paid' }, 'confirmed'), 'nothing_charged');
  t.is(whyNoDocument({ ...amount, status: 'paid' }, 'confirmed'), null);
});

test('a document number is recognised in any case, with or without its hyphens, or with spaces', (t) => {
  const spellings: [typed: string, number: string | null][] = [
    ['HH-7', 'HH-7'],
    ['hh7', 'HH-7'],
    ['hh7t1', 'HH-7-T1'],
    ['HH 7', 'HH-7'],
    ['hh 7 c1', 'HH-7-C1'],
    ['HH-7-C12', 'HH-7-C12'],
    ['a1b23', 'A1B-23'],
    ['A1-23', 'A1-23'],
    ['hh-35-2', 'HH-35-2'],
    ['HH 35 2 C1', 'HH-35-2-C1'],
    ['HH-35-2-C1', 'HH-35-2-C1'],
    ['7', null],
    ['hh', null],
    ['hh-7x', null],
  ];
  for (const [typed, number] of spellings) t.is(documentNumberIn(typed), number, typed);
});

test('an invoice whose number is taken in the books gets the next one there, and its other documents follow', (t) => {
  t.deepEqual(['HH-35', 'HH-35-2', 'A1-7-9'].map(nextNumberInBooks), ['HH-35-2', 'HH-35-3', 'A1-7-10']);
  const moved = { number: 'HH-35', inBooks: 'HH-35-2' };
  t.is(numberInBooks('HH-35-C1', moved), 'HH-35-2-C1');
  t.is(numberInBooks('HH-35-T1', { number: 'HH-35', inBooks: 'HH-35' }), 'HH-35-T1');
  t.is(numberInBooks('HH-350', moved), 'HH-350');
});

test('supplements and credit notes are numbered separately, above lost ones, and a lost one is recognised by its total', (t) => {
  const taken = new Set(['HH-35', 'HH-35-T1', 'HH-35-C1', 'HH-35-2-C7', 'HH-3-C9']);
  const credit = (total_minor: number, lost: [string, number | null][]): string =>
    nextDocumentNumber(
      'HH-35',
      { kind: 'credit_note', total_minor },
      taken,
      lost.map(([suffix, total]) => ({ suffix, total_minor: total })),
    );
  t.is(credit(100, []), 'HH-35-C2');
  t.is(
    credit(100, [
      ['T2', 100],
      ['T9', null],
    ]),
    'HH-35-C2',
    'of the other kind',
  );
  t.is(
    credit(100, [
      ['C2', 90],
      ['C10', null],
    ]),
    'HH-35-C11',
  );
  t.is(
    credit(100, [
      ['C1', 100],
      ['C2', 90],
      ['C3', 100],
    ]),
    'HH-35-C3',
    'the first is here',
  );
  t.deepEqual(['HH-35-C1', 'HH-35-2-T10', 'HH-35', 'HH-35-C12345', 'HH-C3x'].map(documentSuffix), [
    'C1',
    'T10',
    null,
    null,
    null,
  ]);
});
