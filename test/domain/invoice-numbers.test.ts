import test from 'ava';
import {
  describeInvoice,
  documentNumberIn,
  invoiceNumberOfCharge,
  nextNumberInBooks,
  numberInBooks,
} from '../../domain/invoice-document.js';

const metadata = { invoice_id: 'inv_1' };

test('a charge names the invoice as its payer knows it, and recovery reads the number from that', (t) => {
  const invoice = { number: 13, document_number: 'HH-13', reference: null };
  const descriptions = [
    describeInvoice(invoice),
    describeInvoice({ ...invoice, reference: 'PO 4711' }),
    describeInvoice({ ...invoice, document_number: null }),
  ];
  t.deepEqual(descriptions, ['Invoice HH-13', 'Invoice HH-13 — PO 4711', 'Invoice HF-13']);
  for (const description of descriptions)
    t.is(invoiceNumberOfCharge({ description, metadata }), 13, description);
  const earlier = ['Invoice Holdfast #13', 'Invoice Holdfast #13 — PO 4711'];
  for (const description of earlier) t.is(invoiceNumberOfCharge({ description, metadata }), 13, description);
});

test('a charge that is not of an invoice of ours has no number', (t) => {
  for (const description of [null, '', 'Blue room, Thu 26 Nov', 'Invoice', 'Payment for Invoice HH-99'])
    t.is(invoiceNumberOfCharge({ description, metadata }), null, `${description}`);
  t.is(invoiceNumberOfCharge({ description: 'Invoice AB-90210', metadata: {} }), null, "the operator's own");
});

test('the number of a document is read in any case, with or without its hyphens, or with spaces', (t) => {
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

test('an invoice whose number is taken in the books has the next one there, and its other documents follow', (t) => {
  t.deepEqual(['HH-35', 'HH-35-2', 'A1-7-9'].map(nextNumberInBooks), ['HH-35-2', 'HH-35-3', 'A1-7-10']);
  const moved = { number: 'HH-35', inBooks: 'HH-35-2' };
  t.is(numberInBooks('HH-35-C1', moved), 'HH-35-2-C1');
  t.is(numberInBooks('HH-35-T1', { number: 'HH-35', inBooks: 'HH-35' }), 'HH-35-T1');
  t.is(numberInBooks('HH-350', moved), 'HH-350');
});
