import type { DataSource } from 'typeorm';
import { findLinkToSend } from '../../commands/access/sign-in-links.js';
import { findAccountMail, findAddressChangedMail } from '../../db/queries/mail/account-mail.js';
import { findBookingMail } from '../../db/queries/mail/booking-mail.js';
import { findInvoiceMail } from '../../db/queries/mail/invoice-mail.js';
import { findOwnerMail } from '../../db/queries/mail/owner-mail.js';
import type { DueMail } from '../../db/queries/mail/mail-queue.js';
import { findStatementMail } from '../../db/queries/mail/statement-mail.js';
import { findSender } from '../../db/queries/mail/sender.js';
import { findInvite, findRequestedAddress } from '../../db/queries/members/invite.js';
import type { Encryption } from '../../db/encryption.js';
import type { InviteLinks, PayLinks } from '../../db/signed-links.js';
import type { ManageLinks } from '../../db/manage-links.js';
import type { MailMessage } from '../gateways/mail.js';
import { renderAccountMail } from './templates/account.js';
import {
  renderAddressChangedMail,
  renderAddressProofMail,
  renderAddressRequestedMail,
  renderNewAddressMail,
} from './templates/address.js';
import { renderBookingMail } from './templates/booking.js';
import { renderInviteMail } from './templates/invite.js';
import { renderInvoiceMail } from './templates/invoice.js';
import { layOut } from './templates/layout.js';
import type { MailContent } from './templates/parts.js';
import { renderOwnerMail } from './templates/owner.js';
import { renderSignInMail } from './templates/sign-in.js';
import { renderStatementMail } from './templates/statement.js';

export interface RenderDependencies {
  db: DataSource;
  encryption: Encryption;
  inviteLinks: InviteLinks;
  manageLinks: ManageLinks;
  payLinks: PayLinks;
  publicUrl: string;
}

/** A mail as it is sent: its content in the common layout. Null if it has no recipient any more. */
export async function renderMail(deps: RenderDependencies, mail: DueMail): Promise<MailMessage | null> {
  const message = await renderContent(deps, mail);
  return message && layOut(message, await findSender(deps.db.manager, mail.id));
}

/**
 * Renders the content of a mail from the current rows (docs/rules/mail.md#personal-data). Null if it has no recipient any
 * more: the person was erased, the invite was replaced, the link has ended.
 */
async function renderContent(deps: RenderDependencies, mail: DueMail): Promise<MailContent | null> {
  const tx = deps.db.manager;
  switch (mail.kind) {
    case 'member_invite': {
      const request = await findRequestedAddress(tx, mail.about);
      if (request) return renderNewAddressMail(mail.id, request, deps.inviteLinks.addressLink(request.id));
      const invite = await findInvite(tx, mail.about);
      if (!invite || invite.expires_at <= new Date()) return null;
      const render = invite.completes_signup ? renderInviteMail : renderAddressProofMail;
      return render(mail.id, invite, deps.inviteLinks.linkTo(invite.id));
    }
    case 'member_email_requested': {
      const request = await findRequestedAddress(tx, mail.about);
      return request && renderAddressRequestedMail(mail.id, request, `${deps.publicUrl}/account`);
    }
    case 'member_email_changed': {
      const facts = await findAddressChangedMail(tx, mail.id);
      return facts && renderAddressChangedMail(facts);
    }
    case 'sign_in_link': {
      const link = await findLinkToSend(tx, mail.about);
      if (!link) return null;
      const token = deps.encryption.decrypt(link.encrypted_token, `sign-in-link:${mail.about}`);
      return renderSignInMail(mail.id, link, `${deps.publicUrl}/sign-in/link?token=${token}`);
    }
    case 'second_factor_enrolled':
    case 'second_factor_reset':
    case 'recovery_codes_created': {
      const facts = await findAccountMail(tx, mail.id);
      return facts && renderAccountMail(facts);
    }
    case 'invoice':
    case 'invoice_opened':
    case 'invoice_reminder':
    case 'invoice_paid':
    case 'invoice_voided':
    case 'invoice_refunded': {
      const facts = await findInvoiceMail(tx, mail.id);
      return facts && renderInvoiceMail(facts, deps.payLinks.linkTo(facts.invoice.id));
    }
    case 'monthly_statement': {
      const facts = await findStatementMail(tx, mail.id);
      return facts && renderStatementMail(facts, deps.payLinks.linkTo);
    }
    case 'webhook_endpoint_disabled':
    case 'refund_failed':
    case 'refund_unfunded':
    case 'payment_disputed':
    case 'accounting_failed':
    case 'accounting_disconnected':
    case 'reconciliation_differs':
    case 'maintenance_announced':
    case 'admin_added':
    case 'recipients_limited': {
      const facts = await findOwnerMail(tx, mail.id, mail.kind);
      return facts && renderOwnerMail(facts, `${deps.publicUrl}/dashboard`);
    }
    case 'booking_held':
    case 'booking_confirmed':
    case 'booking_change_pending':
    case 'booking_changed':
    case 'booking_cancelled':
    case 'booking_expired':
    case 'late_payment_refunded':
    case 'payment_refunded': {
      const facts = await findBookingMail(tx, mail.id);
      return facts && renderBookingMail(facts, deps.manageLinks.linkTo(facts.booking));
    }
  }
}
