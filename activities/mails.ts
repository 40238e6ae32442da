import type { DataSource } from 'typeorm';
import { findOwedMails, markMailSent, type OwedMail } from '../db/repositories/mails.js';
import { findOwedOwnerMail, markOwnerMailSent } from '../db/repositories/owner-mails.js';
import { findOwedInvoiceMail, markInvoiceMailSent } from '../db/repositories/invoice-mails.js';
import type { Mailer } from './gateways/mail.js';
import { writeInvoiceLetter } from './invoice-letters.js';
import { writeLetter } from './letters.js';
import { writeOwnerLetter } from './owner-letters.js';

/** Mail to payers and owners, from the outbox. */
export function createMailActivities({ db, mailer }: { db: DataSource; mailer: Mailer }) {
  /** Marked once the server has taken it, so a crash in between sends it again, under the same message id, not never. */
  async function send(mails: OwedMail[]): Promise<void> {
    for (const mail of mails) {
      await mailer.send(writeLetter(mail));
      await markMailSent(db.manager, mail.id);
    }
  }

  return {
    /** Sends what mail is owed to a booking's payer, but for its refunds. */
    async sendOwedMails(bookingId: string): Promise<void> {
      await send(await findOwedMails(db.manager, { booking_id: bookingId }));
    },

    /** Sends the mail that tells of a refund. */
    async sendRefundMail(refundId: string): Promise<void> {
      await send(await findOwedMails(db.manager, { refund_id: refundId }));
    },

    /** Sends a mail about an invoice to its payer, unless it was sent; marked as the above. */
    async sendInvoiceMail(mailId: string): Promise<void> {
      const mail = await findOwedInvoiceMail(db.manager, mailId);
      if (!mail) return;
      const letter = writeInvoiceLetter(mail);
      if (letter) await mailer.send(letter);
      await markInvoiceMailSent(db.manager, mailId);
    },

    /** Sends a mail that is owed to a workspace's owner, unless it was sent; marked as the above. */
    async sendOwnerMail(mailId: string): Promise<void> {
      const mail = await findOwedOwnerMail(db.manager, mailId);
      if (!mail) return;
      await mailer.send(writeOwnerLetter(mail));
      await markOwnerMailSent(db.manager, mail.id);
    },
  };
}
