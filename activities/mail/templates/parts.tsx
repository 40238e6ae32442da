import type { ComponentChildren, VNode } from 'preact';
import type { MailMessage } from '../../gateways/mail.js';
import type { MailedRefund } from '../../../db/queries/payments/refund-part.js';
import { nameFromAddress } from '../../../domain/names.js';
import { ENGLISH, type Words } from '../../../domain/words/words.js';

/** A rendered mail. */
export interface RenderedMail extends MailMessage {
  /** The refunds that it reports as made or on their way, and that no other mail reports. */
  told_refunds?: MailedRefund[];
}

/** A mail without its layout: one tree, from which its HTML and its text are rendered. */
export interface MailContent extends Pick<
  RenderedMail,
  'id' | 'to' | 'subject' | 'calendar' | 'told_refunds'
> {
  body: ComponentChildren;
  /** The language of its layout; English if absent. */
  words?: Words;
}

/** `Hello Ada,`; without a name if only the address of a person is known. */
export const greeting = (name: string, email: string): string =>
  name === nameFromAddress(email) ? ENGLISH.say('mail.hello') : ENGLISH.say('mail.hello_name', { name });

/** Paragraphs of text, with quotations between them. A note has smaller text. */
export const Paragraphs = ({ of, note }: { of: readonly (string | VNode)[]; note?: boolean }) => (
  <>{of.map((each) => (typeof each === 'string' ? <p class={note ? 'note' : undefined}>{each}</p> : each))}</>
);

/** A table for layout: mail programs support nothing else reliably. */
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

/** A link as a button; in text, or with `more`, as a plain link. */
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
 * Rows of two columns. Each row is its own table: its right cell moves below the left one if the two do not
 * fit side by side, so that no column is narrower than one of its words, up to three fifths of the width. A
 * row without a right cell takes the whole width. For HTML only.
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

/** A value with more characters is shown as text below its term. */
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

/** Terms with their values; one line each in text. */
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

/** Content of only the HTML, or only the text, of a mail. */
export const OnlyIn = (props: { in: 'html' | 'text'; children: ComponentChildren }) =>
  props.in === 'html' ? <>{props.children}</> : null;

/**
 * Free text of a workspace or payer, if any, as a quotation: nobody mistakes it for a text of the service
 * (docs/rules/mail.md#quotations). `by`: `Harbour House wrote`. Line breaks are kept.
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

/** The reason that a person gave for what a mail reports, if any, in one line. */
export const reasonGiven = (reason: string | null, by: string): VNode[] =>
  quoted(reason && reason.replace(/\s+/g, ' '), by);
