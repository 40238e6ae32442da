import type { OpenInvoice, StatementEntry } from '../../../db/queries/invoices/statement.js';
import type { StatementRow } from '../../../db/queries/invoices/issued-statement.js';
import type { StatementMail } from '../../../db/queries/mail/statement-mail.js';
import { balanceOf, totalInWords } from '../../../domain/invoices/statement.js';
import { quotedNumber } from '../../../domain/invoices/words.js';
import { Facts, Only, Paragraphs, Rows, type MailContent } from './parts.js';
import { wordsOf, type Words } from '../../../domain/words/words.js';

/**
 * How many open invoices, and how many payments, a mail lists. Gmail cuts off long mail. What is
 * beyond is in the totals.
 */
const LISTED = 50;

/** `November 2026` */
const nameOf = (words: Words, month: string): string =>
  new Date(month).toLocaleDateString(words.locale(''), { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `Tue 24 Nov`, with its year if that is not the current one. */
const dayInWords = (words: Words, day: string, { currency }: { currency: string }): string =>
  words.day(new Date(day), { time_zone: 'UTC', currency });

/** What an open invoice is, beside its balance. */
function describe(words: Words, invoice: OpenInvoice): string {
  const { currency, invoiced_on, due_on, is_past_due, total_minor, paid_minor } = invoice;
  const item = words.say(is_past_due ? 'mail.item_was_due' : 'mail.item_due', {
    invoiced: dayInWords(words, invoiced_on, invoice),
    due: dayInWords(words, due_on, invoice),
    amount: words.amount(total_minor, currency),
  });
  if (paid_minor === 0) return item;
  return words.say('mail.item_paid', { item, amount: words.amount(paid_minor, currency) });
}

const entryFact = (words: Words, entry: StatementEntry) =>
  [
    words.say(`mail.entry_${entry.kind}`, {
      day: dayInWords(words, entry.day, entry),
      reference: quotedNumber(words, entry),
    }),
    words.money(entry),
  ] as const;

/** Open invoices with the link to pay each: a table, or in text a paragraph each. */
function OpenInvoices(props: {
  words: Words;
  of: OpenInvoice[];
  payUrlOf: (invoice: OpenInvoice) => string;
}) {
  const { words, of, payUrlOf } = props;
  if (of.length === 0) return null;
  const shown = of.map((invoice) => ({
    name: quotedNumber(words, invoice),
    what: describe(words, invoice),
    balance: words.amount(balanceOf(invoice), invoice.currency),
    url: payUrlOf(invoice),
  }));
  return (
    <>
      <Only in="html">
        <Rows
          of={shown.map(({ name, what, balance, url }) => [
            <>
              <a href={url}>{name}</a>
              <br />
              {what}
            </>,
            balance,
          ])}
        />
      </Only>
      <Only in="text">
        {shown.map(({ name, what, balance, url }) => (
          <p>
            {`${name} ${what}\n${words.say('mail.to_pay')}: ` +
              `${balance}\n${words.say('mail.view_and_pay')}: ${url}`}
          </p>
        ))}
      </Only>
    </>
  );
}

/**
 * Writes the monthly statement of a payer: what is open, with a link to pay each, and what was paid and
 * credited in the month (docs/rules/billing.md#monthly-statements).
 */
export function renderStatementMail(
  mail: StatementMail,
  payUrlOf: (invoice: OpenInvoice) => string,
): MailContent {
  const { id, email, name, workspace_name, open, entries, autopay_last4: last4 } = mail;
  const words = wordsOf(mail.locale);
  const month = nameOf(words, mail.month);
  const facts = entries.slice(0, LISTED).map((entry) => entryFact(words, entry));
  const greeting = [
    words.say('mail.hello_name', { name }),
    words.say('mail.statement', { month }),
    totalInWords(words, open),
  ];
  const card = last4 && open.length > 0 ? [words.say('mail.statement_card', { last4 })] : [];
  const more = (all: unknown[], key: 'mail.more_invoices' | 'mail.more_entries'): string[] =>
    all.length > LISTED ? [words.say(key, { n: all.length - LISTED })] : [];

  return {
    id,
    to: email,
    subject: words.say('mail.statement_subject', { month, name: workspace_name }),
    words,
    body: (
      <>
        <Paragraphs of={[...greeting, ...card]} />
        <OpenInvoices words={words} of={open.slice(0, LISTED)} payUrlOf={payUrlOf} />
        <Paragraphs of={more(open, 'mail.more_invoices')} />
        {facts.length > 0 && (
          <>
            <p>{words.say('mail.payments_in', { month })}</p>
            <Facts of={facts} />
            <Paragraphs of={more(entries, 'mail.more_entries')} />
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
  const { open, from, to, parties, locale } = content;
  const words = wordsOf(locale);
  return {
    id: mailId,
    to: payer_email!,
    subject: words.say('mail.issued_subject', { number, name: parties.seller.name }),
    words,
    body: (
      <Paragraphs
        of={[
          words.say('mail.hello_name', { name: payer_name! }),
          words.say('mail.issued', { number, from: words.longDay(from), to: words.longDay(to) }),
          totalInWords(words, open),
        ]}
      />
    ),
  };
}
