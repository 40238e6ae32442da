import type { OpenInvoice, StatementEntry } from '../../../db/queries/billing/statement.js';
import type { StatementRow } from '../../../db/queries/billing/issued-statement.js';
import type { StatementMail } from '../../../db/queries/mail/statement-mail.js';
import { formatDay, formatMoney, localeOf } from '../../../domain/display.js';
import { balanceOf, totalInWords } from '../../../domain/statement.js';
import { quotedNumber } from '../../../domain/invoice-words.js';
import { Facts, Only, Paragraphs, type MailContent } from './parts.js';

/** Mail programs cut off long mail. What is beyond is in the totals. */
const LISTED = 100;

type Listed = { currency: string };

/** `November 2026` */
const nameOf = (month: string): string =>
  new Date(month).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const more = (all: unknown[], what: string): string[] =>
  all.length > LISTED ? [`And ${all.length - LISTED} more ${what}.`] : [];

/** `Tue 24 Nov`, with its year if that is not the current one. */
const dayInWords = (day: string, { currency }: Listed): string =>
  formatDay(new Date(day), 'UTC', new Date(), localeOf({ currency }));

/** What an open invoice is, beside its balance. */
function describe(invoice: OpenInvoice): string {
  const { currency, invoiced_on, due_on, is_past_due, total_minor, paid_minor } = invoice;
  const due = `${is_past_due ? 'was due' : 'due'} on ${dayInWords(due_on, invoice)}`;
  const paid = paid_minor > 0 ? `, ${formatMoney({ amount_minor: paid_minor, currency })} paid` : '';
  return `of ${dayInWords(invoiced_on, invoice)}, ${due}; ${formatMoney({ amount_minor: total_minor, currency })}${paid}`;
}

const ENTRIES: Record<StatementEntry['kind'], (invoice: string) => string> = {
  payment: (invoice) => `payment of ${invoice}`,
  refund: (invoice) => `refund for ${invoice}`,
  cancelled: (invoice) => `${invoice} was cancelled`,
};

const entryFact = (entry: StatementEntry) =>
  [
    `${dayInWords(entry.day, entry)}, ${ENTRIES[entry.kind](quotedNumber(entry))}`,
    formatMoney(entry),
  ] as const;

/** Open invoices with the link to pay each: a table, or in text a paragraph each. */
function OpenInvoices({ of, payUrlOf }: { of: OpenInvoice[]; payUrlOf: (invoice: OpenInvoice) => string }) {
  if (of.length === 0) return null;
  const shown = of.map((invoice) => ({
    name: quotedNumber(invoice),
    what: describe(invoice),
    balance: formatMoney({ amount_minor: balanceOf(invoice), currency: invoice.currency }),
    url: payUrlOf(invoice),
  }));
  return (
    <>
      <Only in="html">
        <table class="facts" role="presentation">
          {shown.map(({ name, what, balance, url }) => (
            <tr>
              <td class="item">
                <a href={url}>{name}</a>
                <br />
                {what}
              </td>
              <td>{balance}</td>
            </tr>
          ))}
        </table>
      </Only>
      <Only in="text">
        {shown.map(({ name, what, balance, url }) => (
          <p>{`${name} ${what}\nTo pay: ${balance}\nView and pay invoice: ${url}`}</p>
        ))}
      </Only>
    </>
  );
}

/**
 * Writes the monthly statement of a payer: what is open, with a link to pay each, and what was paid and credited in the
 * month (docs/rules/billing.md#monthly-statements).
 */
export function renderStatementMail(
  mail: StatementMail,
  payUrlOf: (invoice: OpenInvoice) => string,
): MailContent {
  const { id, email, name, workspace_name, month, open, entries, autopay_last4 } = mail;
  const facts = entries.slice(0, LISTED).map(entryFact);
  const greeting = [`Hello ${name},`, `This is your statement for ${nameOf(month)}.`, totalInWords(open)];
  const card =
    autopay_last4 && open.length > 0
      ? [
          `Due invoices are charged to your card ending in ${autopay_last4}. If the card was declined, pay with the links below.`,
        ]
      : [];

  return {
    id,
    to: email,
    subject: `Statement for ${nameOf(month)} (${workspace_name})`,
    body: (
      <>
        <Paragraphs of={[...greeting, ...card]} />
        <OpenInvoices of={open.slice(0, LISTED)} payUrlOf={payUrlOf} />
        <Paragraphs of={more(open, 'open invoices, included in the total')} />
        {facts.length > 0 && (
          <>
            <p>Payments and credits in {nameOf(month)}:</p>
            <Facts of={facts} />
            <Paragraphs of={more(entries, 'payments and credits')} />
          </>
        )}
      </>
    ),
  };
}

/** Writes the mail with a statement that somebody has asked for, which it carries as PDF. */
export function renderIssuedStatementMail(
  mailId: string,
  { number, content, payer_name, payer_email }: StatementRow,
): MailContent {
  const { open, from, to, parties } = content;
  return {
    id: mailId,
    to: payer_email!,
    subject: `Statement ${number} (${parties.seller.name})`,
    body: (
      <Paragraphs
        of={[
          `Hello ${payer_name},`,
          `This is your statement ${number} for ${longDay(from)} to ${longDay(to)}, attached as PDF.`,
          totalInWords(open),
        ]}
      />
    ),
  };
}

const longDay = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
