import type { DataSource } from 'typeorm';
import { findOwedMails, markMailSent } from '../db/repositories/mails.js';
import type { Mailer } from './gateways/mail.js';
import { writeLetter } from './letters.js';

/** Mail to payers, from the outbox. */
export function createMailActivities({ db, mailer }: { db: DataSource; mailer: Mailer }) {
  return {
    /**
     * Sends what mail is owed to a booking's payer. A mail is marked once the server has taken it, so a crash in
     * between sends it again under the same message id rather than never.
     */
    async sendOwedMails(bookingId: string): Promise<void> {
      for (const mail of await findOwedMails(db.manager, bookingId)) {
        await mailer.send(writeLetter(mail));
        await markMailSent(db.manager, mail.id);
      }
    },
  };
}
