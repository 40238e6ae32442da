import type { DataSource } from 'typeorm';
import type { Encryption } from '../../db/encryption.js';
import { findLinkToSend, LINK_MINUTES, markLinkSent } from '../../db/repositories/access/sign-in-links.js';
import type { Mailer } from '../gateways/mail.js';

export interface SignInDependencies {
  db: DataSource;
  mailer: Mailer;
  encryption: Encryption;
  publicUrl: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Mail for people who sign in. */
export function createSignInActivities({ db, mailer, encryption, publicUrl }: SignInDependencies) {
  return {
    /**
     * Mails a link, if there is one to send under this id. Its token is forgotten once the server has taken the mail,
     * so a crash in between sends the same letter again, under the same message id.
     */
    async sendSignInLink(linkId: string): Promise<void> {
      const link = await findLinkToSend(db.manager, linkId);
      if (!link) return;
      const token = encryption.decrypt(link.encrypted_token, `sign-in-link:${linkId}`);
      const address = `${publicUrl}/sign-in/link?token=${token}`;
      const terms = `It works once, for ${LINK_MINUTES} minutes. If you did not ask for it, nobody has come in: leave it be.`;
      await mailer.send({
        id: linkId,
        to: link.to,
        subject: 'Your link to sign in to Holdfast',
        text: [`Hello ${link.name},`, 'This link signs you in:', address, terms].join('\n\n'),
        html: [
          `<p>Hello ${escapeHtml(link.name)},</p>`,
          `<p><a href="${address}">Sign in to Holdfast</a></p>`,
          `<p>${escapeHtml(terms)}</p>`,
        ].join('\n'),
      });
      await markLinkSent(db.manager, linkId);
    },
  };
}
