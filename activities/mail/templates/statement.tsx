import type { OpenInvoice, StatementEntry } from '../../../db/queries/invoices/statement.js';
import type { StatementRow } from '../../../db/queries/invoices/issued-statement.js';
import type { StatementMail } from '../../../db/queries/mail/statement-mail.js';
import { balanceDue, describeTotal } from '../../../domain/invoices/statement.js';
import { quotedNumber } from '../../../domain/invoices/words.js';
import { MailFacts, OnlyIn, Paragraphs, Rows, type MailContent } from './parts.js';
import { getWords, type Words } from '../../../domain/words/words.js';

/**
 * How many open invoices, and how many payments, a mail lists: Gmail cuts off long mail. The totals include
 * the rest.
 */
const LISTED = 50;

/** Writes a month: `November 2026`. */
const formatMonth = (words: Words, month: string): string =>
  new Date(month).toLocaleDateString(words.locale(''), { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Writes a day: `Tue 24 Nov`, with the year if it is not the current one. */
const formatStatementDay = (words: Words, day: string, { currency }: { currency: string }): string =>
  words.day(new Date(day), { time_zone: 'UTC', currency });

/** Describes an open invoice, without its balance. */
function describe(words: Words, invoice: OpenInvoice): string {
  const { currency, invoiced_on, due_on, is_past_due, total_minor, paid_minor } = invoice;
  const item = words.say(is_past_due ? 'mail.item_was_due' : 'mail.item_due', {
    invoiced: formatStatementDay(words, invoiced_on, invoice),
    due: formatStatementDay(words, due_on, invoice),
    amount: words.amount(total_minor, currency),
  });
  if (paid_minor === 0) return item;
  return words.say('mail.item_paid', { item, amount: words.amount(paid_minor, currency) });
}

const entryFact = (words: Words, entry: StatementEntry) =>
  [
    words.say(`mail.entry_${entry.kind}`, {
      day: formatStatementDay(words, entry.day, entry),
      reference: quotedNumber(words, entry),
    }),
    words.money(entry),
  ] as const;

/** Open invoices, each with its payment link: a table, or one paragraph each in text. */
function OpenInvoices(props: {
  words: Words;
  of: OpenInvoice[];
  getPayUrl: (invoice: OpenInvoice) => string;
}) {
  const { words, of, getPayUrl } = props;
  if (of.length === 0) return null;
  const shown = of.map((invoice) => ({
    name: quotedNumber(words, invoice),
    what: describe(words, invoice),
    balance: words.amount(balanceDue(invoice), invoice.currency),
    url: getPayUrl(invoice),
  }));
  return (
    <>
      <OnlyIn in="html">
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
      </OnlyIn>
      <OnlyIn in="text">
        {shown.map(({ name, what, balance, url }) => (
          <p>
            {`${name} ${what}\n${words.say('mail.to_pay')}: ` +
              `${balance}\n${words.say('mail.view_and_pay')}: ${url}`}
          </p>
        ))}
      </OnlyIn>
    </>
  );
}

/**
 * Writes the monthly statement of a payer: the open invoices, each with its payment link, and the payments
 * and credits of the month (docs/rules/billing.md#monthly-statements).
 */
export function renderStatementMail(
  mail: StatementMail,
  getPayUrl: (invoice: OpenInvoice) => string,
): MailContent {
  const { id, email, name, workspace_name, open, entries, autopay_last4: last4 } = mail;
  const words = getWords(mail.locale);
  const month = formatMonth(words, mail.month);
  const facts = entries.slice(0, LISTED).map((entry) => entryFact(words, entry));
  const greeting = [
    words.say('mail.hello_name', { name }),
    words.say('mail.statement', { month }),
    describeTotal(words, open),
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
        <OpenInvoices words={words} of={open.slice(0, LISTED)} getPayUrl={getPayUrl} />
        <Paragraphs of={more(open, 'mail.more_invoices')} />
        {facts.length > 0 && (
          <>
            <p>{words.say('mail.payments_in', { month })}</p>
            <MailFacts of={facts} />
            <Paragraphs of={more(entries, 'mail.more_entries')} />
          </>
        )}
      </>
    ),
  };
}

/** Writes the mail for a requested statement, which is attached as a PDF. */
export function renderIssuedStatementMail(
  mailId: string,
  { number, content, payer_name, payer_email }: StatementRow,
): MailContent {
  const { open, from, to, parties, locale } = content;
  const words = getWords(locale);
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
          describeTotal(words, open),
        ]}
      />
    ),
  };
}
