import type { ComponentChildren, VNode } from 'preact';
import type { MailMessage } from '../../gateways/mail.js';
import type { MailedRefund } from '../../../db/queries/payments/refund-part.js';
import { nameFromAddress } from '../../../domain/names.js';
import { ENGLISH, type Words } from '../../../domain/words/words.js';

export interface RenderedMail extends MailMessage {
  /** The refunds that it reports as on their way or made, without those that another mail reports. */
  told_refunds?: MailedRefund[];
}

/** A mail without its layout: one tree, from which its HTML and its text are written. */
export interface MailContent extends Pick<
  RenderedMail,
  'id' | 'to' | 'subject' | 'calendar' | 'told_refunds'
> {
  body: ComponentChildren;
  /** The words of its layout; English if absent. */
  words?: Words;
}

/** Writes the salutation: `Hello Ada,`. Without the name if only the address of a person is known. */
export const greeting = (name: string, email: string): string =>
  name === nameFromAddress(email) ? ENGLISH.say('mail.hello') : ENGLISH.say('mail.hello_name', { name });

/** Paragraphs of text, with quotations between them. Notes are set in a smaller size. */
export const Paragraphs = ({ of, note }: { of: readonly (string | VNode)[]; note?: boolean }) => (
  <>{of.map((each) => (typeof each === 'string' ? <p class={note ? 'note' : undefined}>{each}</p> : each))}</>
);

/** A table that positions its content, because mail programs support nothing else. */
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

/** A link as a button. In text, and with `more` within other text, it is a plain link. */
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

/** Text that keeps its line breaks. */
export const Lines = ({ of }: { of: string }) => (
  <>{of.split('\n').flatMap((line, n) => (n === 0 ? [line] : [<br />, line]))}</>
);

/**
 * Rows of two columns. Each row is a separate table, whose right cell moves below the left one if both do not
 * fit side by side. So no column is ever narrower than one of its words, up to three fifths of the width. A
 * row without a right cell has the whole width. Only for HTML.
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

/** A longer value, in characters, is treated as text and shown left-aligned below its term. */
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

/** Terms with their values; in text, one line each. */
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

/** Content that only the HTML or only the text of a mail has. */
export const OnlyIn = (props: { in: 'html' | 'text'; children: ComponentChildren }) =>
  props.in === 'html' ? <>{props.children}</> : null;

/**
 * Returns free text of a workspace or a payer, if there is any, as a quotation, so that nobody mistakes it
 * for words of the service (docs/rules/mail.md#quotations). `by`: `Harbour House wrote`. Line breaks are
 * kept.
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

/** Returns the reason that a person gave for what a mail reports, if there is one, in one line. */
export const reasonGiven = (reason: string | null, by: string): VNode[] =>
  quoted(reason && reason.replace(/\s+/g, ' '), by);
