import nodemailer from 'nodemailer';

export interface Letter {
  /** The mail's own id: a server that sees a letter twice can tell. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  calendar?: { content: string; method: 'PUBLISH' | 'CANCEL' };
  pdf?: { name: string; content: Buffer };
}

/** Sends letters. Fails when the server does not take one. */
export interface Mailer {
  send(letter: Letter): Promise<void>;
}

/** A mailer that speaks SMTP, over a small pool of connections. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
  const transport = nodemailer.createTransport({ url, pool: true, maxConnections: 2, ...timeouts } as never, {
    from,
  });
  return {
    async send(letter) {
      await transport.sendMail({
        messageId: `<${letter.id}@holdfast>`,
        to: letter.to,
        subject: letter.subject,
        text: letter.text,
        html: letter.html,
        attachments: letter.pdf && [{ filename: letter.pdf.name, content: letter.pdf.content }],
        icalEvent: letter.calendar && { filename: 'booking.ics', ...letter.calendar },
      });
    },
  };
}

/** True where the mail server has said that it will never take a letter to this address (SMTP 5xx to its recipient). */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command } = (error ?? {}) as { responseCode?: number; command?: string };
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500;
}
