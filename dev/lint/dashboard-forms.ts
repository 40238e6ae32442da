import { ACTIONS_OF_EVENT } from '../../db/queries/bookings/timeline.js';
import { EVENT_TYPES } from '../../domain/events/types.js';
import { ACTIONS } from '../../web/dashboard/audit-log/audit-log.js';
import { WITHOUT_KEY } from '../../test/support/rights-table.js';
import { differences, type Rule } from './rule.js';

/** The dashboard forms whose act is in the audit log, with the actions of their entries. */
const AUDITED: Record<string, string> = {
  '/accounting': 'workspace.updated',
  '/accounting/disconnect': 'workspace.updated',
  '/applications': 'oauth_client.created',
  '/applications/:id/remove': 'oauth_client.deleted',
  '/book': 'booking.created',
  '/booking-page': 'booking_page.updated',
  '/booking-page/terms': 'booking_page.updated',
  '/bookings/:id/cancel': 'booking.cancelled',
  '/bookings/:id/change':
    'booking.moved booking.extras_changed booking.details_changed booking.payment_taken',
  '/bookings/:id/messages': 'booking.message_sent',
  '/bookings/:id/metadata': 'booking.details_changed',
  '/bookings/:id/guest': 'booking.guest_corrected',
  '/bookings/:id/no-show': 'booking.marked_no_show',
  '/bookings/:id/payments': 'booking.payment_taken',
  '/bookings/:id/rotate-link': 'booking.manage_link_rotated',
  '/bookings/:id/withdraw-change': 'booking.change_withdrawn',
  '/calendar/blackout': 'blackout.created',
  '/companies': 'company.created',
  '/companies/:id': 'company.updated',
  '/companies/:id/card/remove': 'card.removed',
  '/companies/:id/metadata': 'company.updated',
  '/companies/:id/terms': 'company.updated',
  '/day/message': 'day.message_sent',
  '/discounts': 'discount.created',
  '/discounts/:id': 'discount.updated',
  '/discounts/:id/archive': 'discount.updated',
  '/discounts/:id/restore': 'discount.updated',
  '/extras': 'extra.created',
  '/extras/:id': 'extra.updated',
  '/extras/:id/archive': 'extra.updated',
  '/extras/:id/metadata': 'extra.updated',
  '/extras/:id/restore': 'extra.updated',
  '/guests/erase': 'guest.erased',
  '/invoices/:id/adjust': 'invoice.adjusted',
  '/invoices/:id/mark-paid': 'invoice.marked_paid',
  '/invoices/:id/metadata': 'invoice.updated',
  '/invoices/:id/rotate-link': 'invoice.pay_link_rotated',
  '/invoices/:id/void': 'invoice.voided',
  '/invoices/new': 'invoice.created',
  '/keys': 'api_key.created',
  '/keys/:id/revoke': 'api_key.revoked',
  '/keys/:id/rotate': 'api_key.rotated',
  '/keys/grants/:id/revoke': 'oauth_grant.revoked',
  '/keys/publishable': 'api_key.created',
  '/members/:id/forget-login': 'sso.forgotten',
  '/members/:id/activate': 'member.updated',
  '/members/:id/archive': 'member.archived',
  '/members/:id/card/remove': 'card.removed',
  '/members/:id/details': 'member.updated',
  '/members/:id/erase': 'member.deleted',
  '/members/:id/metadata': 'member.updated',
  '/members/:id/pause': 'member.updated',
  '/members/:id/resend-invite': 'member.invited',
  '/members/:id/reset-second-factor': 'second_factor.reset',
  '/members/:id/role': 'member.updated',
  '/members/:id/terms': 'member.updated',
  '/members/:id/tier': 'member.tier_changed',
  '/members/import': 'member.created',
  '/members/new': 'member.created member.invited',
  '/membership/calendar-address': 'feed.created',
  '/membership/card/remove': 'card.removed',
  '/ownership': 'workspace.ownership_transferred',
  '/payments/:id/refund': 'payment.refunded',
  '/prices/entered': 'workspace.updated',
  '/prices/taxes': 'workspace.updated',
  '/prices/tiers': 'workspace.updated',
  '/rooms': 'room.created',
  '/rooms/:id/blackouts': 'blackout.created',
  '/rooms/:id/blackouts/:blackout_id': 'booking.moved booking.cancelled',
  '/rooms/:id/blackouts/:blackout_id/again': 'booking.moved booking.cancelled',
  '/rooms/:id/blackouts/:blackout_id/delete': 'blackout.deleted',
  '/rooms/:id/blackouts/new': 'blackout.created',
  '/rooms/:id/calendar-address': 'feed.created',
  '/rooms/:id/copy': 'room.created',
  '/rooms/:id/metadata': 'room.updated',
  '/rooms/:id/rates/:rate_id': 'room.rates_changed',
  '/rooms/:id/rates/:rate_id/remove': 'room.rates_changed',
  '/rooms/:id/rates/:rate_id/up': 'room.rates_changed',
  '/rooms/:id/rates/new/price': 'room.rates_changed',
  '/rooms/:id/settings/appearance': 'room.updated',
  '/rooms/:id/settings/archive': 'room.updated',
  '/rooms/:id/settings/arrival': 'room.updated',
  '/rooms/:id/settings/details': 'room.updated',
  '/rooms/:id/settings/hours': 'room.updated',
  '/rooms/:id/settings/parts': 'room.updated',
  '/rooms/:id/settings/pictures': 'room.updated',
  '/rooms/:id/settings/pictures/remove': 'room.updated',
  '/rooms/:id/settings/price': 'room.updated',
  '/rooms/:id/settings/refunds': 'room.updated',
  '/rooms/:id/settings/restore': 'room.updated',
  '/rooms/:id/settings/self-service/off': 'room.updated',
  '/rooms/:id/settings/self-service/on': 'room.updated',
  '/settings': 'workspace.updated',
  '/settings/bookings': 'workspace.updated',
  '/settings/bookings/emails': 'workspace.updated',
  '/settings/files': 'workspace.updated',
  '/settings/invoices': 'workspace.updated',
  '/settings/maintenance': 'workspace.updated',
  '/settings/maintenance/end': 'workspace.updated',
  '/settings/payers': 'workspace.updated',
  '/settings/payers/logo': 'workspace.updated',
  '/settings/payers/logo/remove': 'workspace.updated',
  '/settings/sign-in': 'workspace.updated',
  '/sign-in/name': 'sso.updated',
  '/sign-in/rules': 'sso.updated',
  '/sign-in/test': 'sso.tested sso.updated',
  '/subscriptions/run': 'job.run',
  '/webhooks': 'webhook_endpoint.created webhook_endpoint.updated',
  '/webhooks/remove': 'webhook_endpoint.deleted',
  '/webhooks/rotate-secret': 'webhook_endpoint.secret_rotated',
};

/** The forms whose act has no entry, and why they need none. */
const UNAUDITED: Record<string, string> = {
  '/accounting/connect': 'opens the consent page; the resulting connection has an entry',
  '/accounting/refresh': 'reads the organisation',
  '/bookings/:id/ask': 'reads the processor',
  '/bookings/:id/send': 'only mails existing facts',
  '/companies/:id/card-setup': 'opens a page; the card that is saved there has an entry',
  '/companies/:id/statements': 'only documents existing facts',
  '/events/:id/redeliver': 'sends what is already stored',
  '/events/redeliver': 'sends what is already stored',
  '/invoices/:id/checkout': 'opens a page on which the invoice can be paid',
  '/invoices/:id/remind': 'only mails existing facts',
  '/invoices/:id/send': 'only mails existing facts',
  '/members/:id/card-setup': 'opens a page; the card that is saved there has an entry',
  '/members/:id/statements': 'only documents existing facts',
  '/membership/card': 'opens a page; the card that is saved there has an entry',
  '/membership/statements': 'only documents existing facts',
  '/processor/onboarding': 'opens a page; the resulting account has an entry',
  '/rooms/:id/rates/new': 'shows the second step of the form',
  '/search/ask': 'reads the processor',
  '/sign-in/discard': 'forgets settings that nobody used',
  '/sign-in/oidc': 'stores settings to test; the test and what it changes have entries',
  '/sign-in/saml': 'stores settings to test; the test and what it changes have entries',
  '/webhooks/test': 'sends a test event',
};

/** The booking events that are stored without an audit entry, and why. */
const UNAUDITED_EVENTS: Record<string, string> = {
  'booking.confirmed': 'the payer or the service; a payment that staff take has an entry',
  'booking.change_pending': 'the change that is paid has an entry',
  'booking.expired': 'the service',
  'booking.completed': 'the service',
};

/**
 * Every dashboard form and every booking event has an audit entry that the pages can show, or is listed with
 * the reason why it needs none (docs/rules/credentials.md#audit-log).
 */
export const dashboardForms: Rule = {
  name: 'audited forms',
  *check() {
    const forms = WITHOUT_KEY.flatMap((route) => /^POST \/dashboard\/:workspace(.*)/.exec(route)?.[1] ?? []);
    yield* differences('forms of the dashboard', [...Object.keys(AUDITED), ...Object.keys(UNAUDITED)], forms);
    const types = EVENT_TYPES.filter((type) => type.startsWith('booking.'));
    yield* differences(
      'events of a booking without an audit entry',
      types.filter((type) => !ACTIONS_OF_EVENT.includes(`e.type = '${type}'`)),
      Object.keys(UNAUDITED_EVENTS),
    );
    const actions = [
      ...Object.values(AUDITED).flatMap((each) => each.split(' ')),
      ...[...ACTIONS_OF_EVENT.matchAll(/ARRAY\[(.*?)\]/g)].flatMap(([, list]) =>
        list!.split(', ').map((action) => action.slice(1, -1)),
      ),
    ];
    yield* differences(
      'actions that the filter of the audit log lacks',
      actions.filter((action) => !ACTIONS.includes(action)),
      [],
    );
  },
};
