import {
  finishInvoiceMail,
  finishMail,
  leaveToNewerBuild,
  type SkipReason,
} from '../../commands/mail/mail-queue.js';
import { finishRefundMail } from '../../commands/mail/refund-mails.js';
import {
  admitRecipient,
  hasMailed,
  postponeMail,
  type RecipientRefusal,
} from '../../commands/mail/new-recipients.js';
import type { MailedRefund } from '../../db/queries/payments/refund-part.js';
import type { DueMail } from '../../db/queries/mail/mail-queue.js';
import { transaction } from '../../db/transaction.js';
import { addressKey } from '../../db/address.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import { INVOICE_SENDING, isUrgentMail, OWN_MAILS } from '../../domain/mail/kinds.js';
import {
  toFailedSend,
  isDeferred,
  type FailedSend,
  type Mailer,
  type MailMessage,
} from '../gateways/mail.js';
import type { RenderedMail } from './templates/parts.js';
import { renderMail, UnknownMailKind, withDocuments, type RenderDependencies } from './render.js';

export interface MailDependencies extends RenderDependencies {
  mailer: Mailer;
  mailQuotas: MailQuotas;
}

export type MailOutcome = 'sent' | 'skipped' | 'refused' | 'retried' | 'held' | 'unknown_kind';

/**
 * Stores that an attempt has failed. `message`: the message passed to the mail server. Returns the outcome.
 */
export type StoreFailure = (
  mail: DueMail,
  failure: FailedSend,
  message?: MailMessage,
) => Promise<MailOutcome>;

/**
 * How many mails that wait for another one to the same recipient keep their rendered message, which has no
 * documents yet.
 */
const KEPT_MESSAGES = 10;

interface WaitingMail {
  mail: DueMail;
  message: RenderedMail | null;
}

/**
 * Sends mails of one queue, concurrently but one at a time per recipient, and none to a recipient whom the
 * mail server has just deferred. So an address with many mails and a slow server takes only one of the slots
 * (docs/rules/mail.md#delivery). `finished` is called after each mail whose outcome is stored.
 */
export class MailSending {
  /** By recipient: the mails that wait for the one in progress. The first few keep their message. */
  private readonly queues = new Map<string, WaitingMail[]>();
  private readonly deferred = new Map<string, FailedSend>();

  constructor(
    private readonly deps: MailDependencies,
    private readonly workspaceId: string | null,
    private readonly finished: (mail: DueMail, outcome: MailOutcome) => void,
    private readonly storeFailure: StoreFailure,
  ) {}

  /**
   * Sends a mail, or leaves it to the call that is sending to its recipient. That call sends the waiting
   * mails as long as `shouldContinue` returns true.
   */
  async send(mail: DueMail, shouldContinue: () => boolean): Promise<void> {
    const message = await this.render(mail);
    if (!message) return;
    const recipient = addressKey(message.to);
    const queue = this.queues.get(recipient);
    if (queue) {
      // With many mails to one recipient, their content is not kept: they are rendered again.
      queue.push({ mail, message: queue.length < KEPT_MESSAGES ? message : null });
      return;
    }
    const waiting: WaitingMail[] = [];
    this.queues.set(recipient, waiting);
    try {
      await this.hand(mail, message);
      for (let next = waiting.shift(); next && shouldContinue(); next = waiting.shift()) {
        const message = next.message ?? (await this.render(next.mail));
        if (message) await this.hand(next.mail, message);
      }
    } finally {
      this.queues.delete(recipient);
    }
  }

  /**
   * Renders the message of a mail; null after storing that there is none, or that another worker must write
   * it.
   */
  private async render(mail: DueMail): Promise<RenderedMail | null> {
    try {
      const message = await renderMail(this.deps, mail);
      if (!message) await this.finish(mail, 'skipped');
      return message;
    } catch (error) {
      if (error instanceof UnknownMailKind && (await leaveToNewerBuild(this.deps.db.manager, mail.id))) {
        this.finished(mail, 'unknown_kind');
        return null;
      }
      await this.fail(mail, toFailedSend(error));
      return null;
    }
  }

  /**
   * Hands a message to the mail server. The mail is marked as sent after the server has accepted it, so a
   * crash in between sends it again, with the same Message-ID.
   */
  private async hand(mail: DueMail, message: RenderedMail): Promise<void> {
    const recipient = addressKey(message.to);
    const deferral = this.deferred.get(recipient);
    if (deferral) return this.fail(mail, deferral);
    const refusal = await this.findRefusal(mail, message);
    if (refusal === 'told') return this.finish(mail, 'skipped', { because: refusal });
    if (refusal) return this.finished(mail, 'held');
    try {
      const urgent = isUrgentMail(mail.kind);
      await this.deps.mailer.send({ ...(await withDocuments(this.deps, mail, message)), urgent });
    } catch (error) {
      const failure = toFailedSend(error);
      if (isDeferred(failure)) this.deferred.set(recipient, failure);
      return this.fail(mail, failure, message);
    }
    await this.finish(mail, 'sent', { refunds: message.told_refunds });
  }

  /**
   * Returns why a mail is not sent, or null. It waits if its workspace has mailed too many new addresses, or
   * if too many refused its mail. It is skipped if its address was already told about another unpaid booking
   * of a public guest. Mail that reports this to the owner is always sent.
   */
  private async findRefusal(mail: DueMail, { to }: MailMessage): Promise<RecipientRefusal | null> {
    const { workspaceId } = this;
    if (workspaceId === null || OWN_MAILS.includes(mail.kind)) return null;
    const { db, mailQuotas } = this.deps;
    // Most mail goes to somebody whom the workspace has mailed before, and needs no transaction.
    if (!mail.unproven_booking && (await hasMailed(db.manager, workspaceId, to))) return null;
    return transaction(db, async (tx) => {
      const refusal = await admitRecipient(tx, mailQuotas, { ...mail, workspace_id: workspaceId }, to);
      if (refusal && refusal !== 'told') await postponeMail(tx, workspaceId, mail.id, refusal);
      return refusal;
    });
  }

  private async finish(
    mail: DueMail,
    outcome: 'sent' | 'skipped',
    { refunds = [], because }: { refunds?: MailedRefund[]; because?: SkipReason } = {},
  ): Promise<void> {
    const { db } = this.deps;
    if (outcome === 'sent' && INVOICE_SENDING.includes(mail.kind))
      await transaction(db, (tx) => finishInvoiceMail(tx, mail.id));
    else if (refunds.length > 0) await transaction(db, (tx) => finishRefundMail(tx, mail.id, refunds));
    else await finishMail(db.manager, mail.id, outcome, because);
    this.finished(mail, outcome);
  }

  private async fail(mail: DueMail, failure: FailedSend, message?: MailMessage): Promise<void> {
    this.finished(mail, await this.storeFailure(mail, failure, message));
  }
}
