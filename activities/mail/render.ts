import type { DataSource } from 'typeorm';
import { drawDocument, drawStatement } from '../../commands/invoices/pdf/drawing.js';
import { findLinkToSend } from '../../commands/sign-in/links.js';
import { findAccountMail, findAddressChangedMail } from '../../db/queries/mail/account-mail.js';
import { findProofMail } from '../../db/queries/mail/proof-mail.js';
import { findBookingMail } from '../../db/queries/mail/booking-mail.js';
import { findInvoiceMail } from '../../db/queries/mail/invoice-mail.js';
import { findMessageMail } from '../../db/queries/mail/message-mail.js';
import { findOwnerMail } from '../../db/queries/mail/owner-mail.js';
import { listMailDocuments } from '../../db/queries/mail/mail-documents.js';
import type { InvoiceDocument } from '../../db/entities/invoices.js';
import type { Tx } from '../../db/transaction.js';
import type { DueMail } from '../../db/queries/mail/mail-queue.js';
import { findStaffMail } from '../../db/queries/mail/staff-mail.js';
import { findStatementMail } from '../../db/queries/mail/statement-mail.js';
import { findStatementToMail } from '../../db/queries/invoices/issued-statement.js';
import { isHoldMail } from '../../domain/mail/kinds.js';
import { findSender } from '../../db/queries/mail/sender.js';
import { findInvite, findRequestedAddress } from '../../db/queries/members/invite.js';
import type { Encryption } from '../../db/encryption.js';
import type { InviteLinks, PayLinks, SignedLinks } from '../../db/signed-links.js';
import type { ManageLinks } from '../../db/manage-links.js';
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
import { renderMessageMail } from './templates/message.js';
import type { MailContent, RenderedMail } from './templates/parts.js';
import { renderOwnerMail } from './templates/owner.js';
import { renderProofMail } from './templates/proof.js';
import { renderSignInMail } from './templates/sign-in.js';
import { renderStaffMail } from './templates/staff.js';
import { renderIssuedStatementMail, renderStatementMail } from './templates/statement.js';

export interface RenderDependencies {
  db: DataSource;
  encryption: Encryption;
  inviteLinks: InviteLinks;
  manageLinks: ManageLinks;
  payLinks: PayLinks;
  proofLinks: SignedLinks;
  publicUrl: string;
  /** The address from which mail is sent. */
  mailAddress: string;
}

/** Thrown if only a later build knows how to write mail of this kind. */
export class UnknownMailKind extends Error {
  override readonly name = 'UnknownMailKind';
}

/**
 * Renders a mail without its documents: its content in the common layout. Null if it no longer has a
 * recipient, or if a public guest entered the address and nobody has proved that it is theirs
 * (docs/rules/booking-page.md#mail-to-public-guests). Errors: `UnknownMailKind`.
 */
export async function renderMail(deps: RenderDependencies, mail: DueMail): Promise<RenderedMail | null> {
  if (mail.unproven_booking && !isHoldMail(mail.kind)) return null;
  const tx = deps.db.manager;
  const sender = await findSender(tx, mail);
  const content = await renderContent(deps, mail);
  return content && layOut(content, sender);
}

/** Adds the documents to a mail. Drawing them takes longer than everything else. */
export async function withDocuments(
  { db: { manager: tx } }: RenderDependencies,
  mail: DueMail,
  message: RenderedMail,
): Promise<RenderedMail> {
  const pdfs = [
    ...(await drawAll(await listMailDocuments(tx, mail))),
    ...(await findMailStatement(tx, mail)),
  ];
  return pdfs.length > 0 ? { ...message, pdfs } : message;
}

async function drawAll(documents: InvoiceDocument[]): Promise<NonNullable<RenderedMail['pdfs']>> {
  const pdfs = [];
  for (const document of documents)
    pdfs.push({ name: `${document.number}.pdf`, content: await drawDocument(document) });
  return pdfs;
}

async function findMailStatement(tx: Tx, { kind, about }: DueMail) {
  const statement = kind === 'statement' ? await findStatementToMail(tx, about) : null;
  return statement ? [{ name: `${statement.number}.pdf`, content: await drawStatement(statement) }] : [];
}

/**
 * Renders the content of a mail from the current rows (docs/rules/mail.md#personal-data). Null if it no
 * longer has a recipient: the person was erased, the invite was replaced, or the link has ended.
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
      return renderSignInMail(mail.id, {
        to: link.to,
        link: `${deps.publicUrl}/sign-in/link?token=${token}`,
        pages: link.providers.map(({ workspace_name, sign_in_name }) => ({
          workspace_name,
          url: `${deps.publicUrl}/sign-in/${sign_in_name}`,
        })),
      });
    }
    case 'second_factor_enrolled':
    case 'second_factor_reset':
    case 'recovery_codes_created':
    case 'passkey_added':
    case 'passkey_removed':
    case 'new_device': {
      const facts = await findAccountMail(tx, mail.id);
      return facts && renderAccountMail(facts);
    }
    case 'invoice':
    case 'invoice_opened':
    case 'invoice_reminder':
    case 'invoice_paid':
    case 'invoice_voided':
    case 'invoice_refunded':
    case 'invoice_refund_ended':
    case 'invoice_refund_returned': {
      const facts = await findInvoiceMail(tx, mail.id);
      return facts && renderInvoiceMail(facts, deps.payLinks.linkTo(facts.invoice));
    }
    case 'monthly_statement': {
      const facts = await findStatementMail(tx, mail.id);
      return facts && renderStatementMail(facts, deps.payLinks.linkTo);
    }
    case 'statement': {
      const statement = await findStatementToMail(tx, mail.about);
      return statement?.payer_email ? renderIssuedStatementMail(mail.id, statement) : null;
    }
    case 'workspace_created':
    case 'webhook_endpoint_disabled':
    case 'refund_failed':
    case 'refund_unfunded':
    case 'payment_disputed':
    case 'accounting_failed':
    case 'number_given_twice':
    case 'database_behind':
    case 'accounting_disconnected':
    case 'reconciliation_differs':
    case 'maintenance_announced':
    case 'admin_added':
    case 'api_key_created':
    case 'webhook_url_changed':
    case 'seller_text_changed':
    case 'full_discount_saved':
    case 'billing_address_changed':
    case 'sso_changed':
    case 'sso_certificate_expires':
    case 'recipients_limited':
    case 'mail_held': {
      const facts = await findOwnerMail(tx, mail.id, mail.kind);
      return facts && renderOwnerMail(facts, `${deps.publicUrl}/dashboard`);
    }
    case 'staff_booking':
    case 'staff_digest': {
      const facts = await findStaffMail(tx, mail.id);
      return facts && renderStaffMail(facts, `${deps.publicUrl}/dashboard`);
    }
    case 'booking_to_confirm': {
      const facts = await findProofMail(tx, mail.id);
      return facts && renderProofMail(facts, deps.proofLinks.linkTo(facts.booking_id));
    }
    case 'booking_message': {
      const facts = await findMessageMail(tx, mail.id);
      return facts && renderMessageMail(facts, deps.manageLinks.linkTo);
    }
    case 'booking_held':
    case 'booking_confirmed':
    case 'booking_reminder':
    case 'booking_change_pending':
    case 'booking_changed':
    case 'booking_note':
    case 'booking_cancelled':
    case 'booking_expired':
    case 'late_payment_refunded':
    case 'payment_refunded':
    case 'payment_refund_ended':
    case 'payment_refund_returned': {
      const facts = await findBookingMail(tx, mail.id);
      if (!facts) return null;
      const booking_url = facts.booking_url && new URL(facts.booking_url, deps.publicUrl).href;
      const manageUrl = deps.manageLinks.linkTo(facts.booking);
      return renderBookingMail({ ...facts, booking_url }, { manageUrl, organizer: deps.mailAddress });
    }
    default:
      // During a deployment, a newer API can enqueue mail that this worker does not know.
      mail.kind satisfies never;
      throw new UnknownMailKind();
  }
}
