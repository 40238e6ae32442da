import { createTransport } from 'nodemailer';
import { deliveryAddress } from '../../db/address.js';

export interface MailMessage {
  /** The mail's id, from which the Message-ID is made: a server that receives it twice can deduplicate it. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The sender's name; by default the service's. */
  from_name?: string;
  /** Where replies go, if not to the sender. */
  reply_to?: string;
  calendar?: { content: string; method: 'REQUEST' | 'CANCEL' };
  pdfs?: { name: string; content: Buffer }[];
  /** Somebody is waiting for it: other messages must not delay it, however slowly they are sent. */
  urgent?: boolean;
}

/** Sends messages. Throws a `MailFailure` if the server does not accept one. */
export interface Mailer {
  send(message: MailMessage): Promise<void>;
}

/** Returns the address and the name of a mailbox, as in `Holdfast <no-reply@example.com>`. */
export function parseMailbox(from: string): { name: string; address: string } {
  const [, name = '', address = from.trim()] = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(from) ?? [];
  return { name, address };
}

/**
 * Creates a mailer that uses SMTP with two small pools of connections, one of them for urgent messages.
 * `from` is the mailbox of the service.
 */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const service = parseMailbox(from);
  const domain = service.address.split('@').at(-1)!;
  const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
  const pool = (maxConnections: number) =>
    createTransport({ url, pool: true, maxConnections, ...timeouts } as never);
  const [transport, urgentTransport] = [pool(8), pool(4)];
  return {
    async send(message) {
      const sent = (message.urgent ? urgentTransport : transport).sendMail({
        messageId: `<${message.id}@${domain}>`,
        from: { ...service, ...(message.from_name && { name: message.from_name }) },
        to: deliveryAddress(message.to),
        replyTo: message.reply_to,
        subject: message.subject,
        text: message.text,
        html: message.html,
        attachments: message.pdfs?.map(({ name, content }) => ({ filename: name, content })),
        headers: { 'Auto-Submitted': 'auto-generated' },
        icalEvent: message.calendar && { filename: 'booking.ics', ...message.calendar },
      });
      await sent.catch((error: unknown) => {
        throw new MailFailure(classify(error));
      });
    },
  };
}

/** Why a message was not sent, only as codes: the server's text may quote addresses. */
export interface FailedSend {
  /** `smtp_<reply code>`, `invalid_address`, `not_connected`, or `not_written` if rendering it failed. */
  code: string;
  /** The server permanently refuses this mail or its recipient. */
  permanent: boolean;
  /** The server refuses the recipient, not the content. */
  recipient?: true;
}

/**
 * Replaces the mail server's error, whose text quotes addresses. What leaves this file may end up in logs and
 * workflow histories, which contain no personal data (docs/internals/architecture.md#personal-data).
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';

  constructor(readonly failure: FailedSend) {
    super(failure.code);
  }
}

/** Returns why a mail could not be written or sent. */
export const toFailedSend = (error: unknown): FailedSend =>
  error instanceof MailFailure ? error.failure : { code: 'not_written', permanent: false };

function classify(error: unknown): FailedSend {
  const { code, responseCode, command } = (error ?? {}) as {
    code?: string;
    responseCode?: number;
    command?: string;
  };
  if (responseCode !== undefined) {
    // Other commands fail because of our configuration, such as credentials, which an operator can correct.
    const permanent = (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500;
    const refusal = permanent && command === 'RCPT TO' ? { recipient: true as const } : {};
    return { code: `smtp_${responseCode}`, permanent, ...refusal };
  }
  if (command === 'API' && code === 'EENVELOPE')
    return { code: 'invalid_address', permanent: true, recipient: true };
  return { code: command === undefined ? 'not_written' : 'not_connected', permanent: false };
}

/**
 * True if the mail server refuses the mail for now: another mail to the same address would also be refused.
 */
export const isDeferred = ({ code, permanent }: FailedSend): boolean =>
  !permanent && code.startsWith('smtp_4');
