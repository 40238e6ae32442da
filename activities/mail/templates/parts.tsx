import type { ComponentChildren, VNode } from 'preact';
import type { MailMessage } from '../../gateways/mail.js';
import type { MailedRefund } from '../../../db/queries/payments/refund-part.js';
import { nameFromAddress } from '../../../domain/names.js';
import { ENGLISH, type Words } from '../../../domain/words/words.js';

/** A mail that is rendered. */
export interface RenderedMail extends MailMessage {
  /** The refunds that it says are on their way or made, of those that no other mail tells of. */
  told_refunds?: MailedRefund[];
}

/** A mail without its letter: one tree, from which its HTML and its text are written. */
export interface MailContent extends Pick<
  RenderedMail,
  'id' | 'to' | 'subject' | 'calendar' | 'told_refunds'
> {
  body: ComponentChildren;
  /** Of its letter; English if absent. */
  words?: Words;
}

/** `Hello Ada,`; without the name where only the address of a person is known. */
export const greeting = (name: string, email: string): string =>
  name === nameFromAddress(email) ? ENGLISH.say('mail.hello') : ENGLISH.say('mail.hello_name', { name });

/** Paragraphs of text, and quotations between them. A note is set smaller. */
export const Paragraphs = ({ of, note }: { of: readonly (string | VNode)[]; note?: boolean }) => (
  <>{of.map((each) => (typeof each === 'string' ? <p class={note ? 'note' : undefined}>{each}</p> : each))}</>
);

/** A table that places its content: mail programs know no other way. */
export const Table = ({
  children,
  ...props
}: {
  class: string;
  align?: 'center';
  children: ComponentChildren;
}) => (
  <table {...props} role="presentation" cellSpacing="0" cellPadding="0">
    <tbody>{children}</tbody>
  </table>
);

/** A link as a button; in text, and with `more` among other text, as a link. */
export function LinkButton({ label, url, more }: { label: string; url: string; more?: boolean }) {
  const link = (
    <p>
      <a href={url}>{label}</a>
    </p>
  );
  if (more) return link;
  return (
    <>
      <OnlyIn in="html">
        <Table class="buttons">
          <tr>
            <td class="button">
              <a class="label" href={url}>
                {label}
              </a>
            </td>
          </tr>
        </Table>
      </OnlyIn>
      <OnlyIn in="text">{link}</OnlyIn>
    </>
  );
}

/** Text whose lines stay lines. */
export const Lines = ({ of }: { of: string }) => (
  <>{of.split('\n').flatMap((line, n) => (n === 0 ? [line] : [<br />, line]))}</>
);

/**
 * Rows of two columns. Each row is a table of its own, whose right cell is below the left one where both do
 * not fit side by side: so no column is ever narrower than a word of it, up to three fifths of the width. A
 * row without a right cell has the whole width. For HTML only.
 */
export const Rows = ({
  of,
  left = 'item',
}: {
  of: readonly (readonly [left: ComponentChildren, right?: ComponentChildren])[];
  left?: 'item' | 'term';
}) => (
  <Table class="facts">
    {of.map(([first, second]) => (
      <tr>
        <td class="row">
          {second === undefined ? (
            first
          ) : (
            <Table class="fact">
              <tr>
                <td class={left}>{first}</td>
                <td class="value">{second}</td>
              </tr>
            </Table>
          )}
        </td>
      </tr>
    ))}
  </Table>
);

/** A longer value, in characters, is text, which is read from the left below its term. */
const BESIDE = 60;

const factRow = (term: string, value: string): readonly [ComponentChildren, ComponentChildren?] =>
  value.length <= BESIDE && !value.includes('\n')
    ? [term, value]
    : [
        <>
          <span class="over">{term}</span>
          <br />
          <Lines of={value} />
        </>,
      ];

/** Terms with their values; in text a line each. */
export const MailFacts = ({ of }: { of: readonly (readonly [term: string, value: string])[] }) => (
  <>
    <OnlyIn in="html">
      <Rows left="term" of={of.map(([term, value]) => factRow(term, value))} />
    </OnlyIn>
    <OnlyIn in="text">
      <p>{of.map(([term, value]) => `${term}: ${value}`).join('\n')}</p>
    </OnlyIn>
  </>
);

/** What only the HTML or only the text of a mail has. */
export const OnlyIn = (props: { in: 'html' | 'text'; children: ComponentChildren }) =>
  props.in === 'html' ? <>{props.children}</> : null;

/**
 * What a workspace or a payer wrote freely, if they did: a quotation, so that nobody takes it for words of
 * the service (docs/rules/mail.md#quotations). `by`: `Harbour House wrote`. Lines stay lines.
 */
export const quoted = (text: string | null, by: string): VNode[] =>
  text?.trim()
    ? [
        <>
          <p>{by}:</p>
          <blockquote>
            <Lines of={text.trim()} />
          </blockquote>
        </>,
      ]
    : [];

/** The reason that a person gave for what a mail reports, if there is one, in one line. */
export const reasonGiven = (reason: string | null, by: string): VNode[] =>
  quoted(reason && reason.replace(/\s+/g, ' '), by);
