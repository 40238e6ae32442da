import type { ComponentChildren, VNode } from 'preact';
import type { MailMessage } from '../../gateways/mail.js';
import type { ToldRefund } from '../../../db/queries/billing/refund-part.js';
import { nameFromAddress } from '../../../domain/names.js';
import { ENGLISH, type Words } from '../../../domain/words/words.js';

/** A mail that is rendered. */
export interface RenderedMail extends MailMessage {
  /** The refunds that it says are on their way or made, of those that no other mail tells of. */
  told_refunds?: ToldRefund[];
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

/** A link as a button. The layout gives every paragraph with nothing but a link this look, unless its class is `more`. */
export const LinkButton = ({ label, url, more }: { label: string; url: string; more?: boolean }) => (
  <p class={more ? 'more' : undefined}>
    <a href={url}>{label}</a>
  </p>
);

/** Terms with their values. */
export const Facts = ({ of }: { of: readonly (readonly [term: string, value: string])[] }) => (
  <table class="facts" role="presentation">
    {of.map(([term, value]) => (
      <tr>
        <td class="term">{term}</td>
        <td>{value}</td>
      </tr>
    ))}
  </table>
);

/** What only the HTML or only the text of a mail has. */
export const Only = (props: { in: 'html' | 'text'; children: ComponentChildren }) =>
  props.in === 'html' ? <>{props.children}</> : null;

/**
 * What a workspace or a payer wrote freely, if they did: a quotation, so that nobody takes it for words of the service
 * (docs/rules/mail.md#quotations). `by`: `Harbour House wrote`. Lines stay lines.
 */
export const quoted = (text: string | null, by: string): VNode[] =>
  text?.trim()
    ? [
        <>
          <p>{by}:</p>
          <blockquote>{text.trim()}</blockquote>
        </>,
      ]
    : [];

/** The reason that a person gave for what a mail reports, if there is one, in one line. */
export const reasonGiven = (reason: string | null, by: string): VNode[] =>
  quoted(reason && reason.replace(/\s+/g, ' '), by);
