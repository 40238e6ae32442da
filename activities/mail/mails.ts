import type { DataSource } from 'typeorm';
import { findPendingInvoiceMail, markInvoiceMailSent } from '../../db/repositories/mail/invoice-mails.js';
import { findPendingMails, markMailSent, type PendingMail } from '../../db/repositories/mail/mails.js';
import { findPendingOwnerMail, markOwnerMailSent } from '../../db/repositories/mail/owner-mails.js';
import type { Mailer } from '../gateways/mail.js';
import { writeInvoiceLetter } from './invoice-templates.js';
import { writeLetter } from './booking-templates.js';
import { writeOwnerLetter } from './owner-templates.js';

/** Mail to payers and owners, from the outbox. */
export function createMailActivities({ db, mailer }: { db: DataSource; mailer: Mailer }) {
  /** Marked once the server has taken it, so a crash in between sends it again, under the same message id, not never. */
  async function send(mails: PendingMail[]): Promise<void> {
    for (const mail of mails) {
      await mailer.send(writeLetter(mail));
      await markMailSent(db.manager, mail.id);
    }
  }

  return {
    /** Sends what mail is owed to a booking's payer, but for its refunds. */
    async sendOwedMails(bookingId: string): Promise<void> {
      await send(await findPendingMails(db.manager, { booking_id: bookingId }));
    },

    /** Sends the mail that tells of a refund. */
    async sendRefundMail(refundId: string): Promise<void> {
      await send(await findPendingMails(db.manager, { refund_id: refundId }));
    },

    /** Sends a mail about an invoice to its payer, unless it was sent; marked as the above. */
    async sendInvoiceMail(mailId: string): Promise<void> {
      const mail = await findPendingInvoiceMail(db.manager, mailId);
      if (!mail) return;
      const letter = writeInvoiceLetter(mail);
      if (letter) await mailer.send(letter);
      await markInvoiceMailSent(db.manager, mailId);
    },

    /** Sends a mail that is owed to a workspace's owner, unless it was sent; marked as the above. */
    async sendOwnerMail(mailId: string): Promise<void> {
      const mail = await findPendingOwnerMail(db.manager, mailId);
      if (!mail) return;
      await mailer.send(writeOwnerLetter(mail));
      await markOwnerMailSent(db.manager, mail.id);
    },
  };
}
