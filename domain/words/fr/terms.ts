import type { terms as en } from '../en/terms.js';

export const terms: Record<keyof typeof en, string> = {
  'terms.free': 'Gratuit',
  'terms.hours_quantity': '{quantity} h',
  'terms.at_price': '{quantity} × {price}',
  'terms.net': 'Total HT',
  'terms.tax': 'Taxes',
  'terms.total': 'Total',
  'terms.credits': '{hours, plural, one {# heure de crédit} other {# heures de crédit}}',
  'terms.membership': 'Adhésion {plan}',
  'terms.upgrade': 'Passage de l’adhésion {from} à {to}',

  'terms.full_refund': 'le prix est intégralement remboursé',
  'terms.no_refund': 'rien n’est remboursé',
  'terms.part_refund': '{percent} % du prix sont remboursés',
  'terms.nothing_due': 'rien n’est dû',
  'terms.all_due': 'le prix entier est dû',
  'terms.part_due': '{percent} % du prix sont dus',
  'terms.hours': '{hours, plural, one {# heure} other {# heures}}',
  'terms.days': '{days, plural, one {# jour} other {# jours}}',
  'terms.cancelled_ahead': 'En cas d’annulation au moins {duration} avant le début, {share}.',
  'terms.cancelled_until': 'En cas d’annulation jusqu’au {moment}, {share}.',
  'terms.cancelled_later': 'En cas d’annulation plus tardive, {share}.',
  'terms.cancelled_any_time': 'En cas d’annulation avant le début, {share}.',
  'terms.cap_none': 'Les sommes payées avant la modification de la réservation ne sont pas remboursées.',
  'terms.cap_part':
    'Les sommes payées avant la modification de la réservation sont remboursées à {percent} % au plus.',

  'terms.refunded': '{amount} ont été remboursés sur le moyen de paiement d’origine.',
  'terms.refunding':
    '{amount} sont en cours de remboursement sur le moyen de paiement d’origine. La banque peut mettre plusieurs jours.',
  'terms.returned_by_hand':
    '{payee} rembourse directement {amount}, car ce montant n’a pas été payé en ligne.',
  'terms.refund_failed': 'Un remboursement de {amount} a échoué. {payee} en a été informé.',
  'terms.disputed': 'La banque a repris {amount}, car le paiement a été contesté.',
  'terms.paid': '{amount} ont été payés.',
  'terms.refunded_before': '{amount} ont déjà été remboursés.',
  'terms.none_refunded': 'Aucun remboursement n’est effectué.',
  'terms.rest_kept': '{amount} ne sont pas remboursés.',
  'terms.paid_late': 'Un paiement de {amount} est arrivé après la libération de la salle.',
  'terms.stays_due': '{amount} restent dus sur facture. L’échéance figure sur la facture.',
  'terms.was_on_account': 'Elle était à régler sur facture. Plus rien n’est dû.',
  'terms.paid_with_credits': 'Elle a été payée avec {credits}.',
  'terms.was_free': 'Elle était gratuite.',
  'terms.not_paid': 'Aucun paiement n’a été reçu. Tout paiement tardif sera intégralement remboursé.',

  'terms.is_refunded': '{amount} sont remboursés sur la carte ou le compte avec lequel vous avez payé.',
  'terms.is_refunded_to_payer': '{amount} sont remboursés sur le moyen de paiement d’origine.',
  'terms.part_refunded': '{amount} ont été remboursés sur la carte ou le compte avec lequel vous avez payé.',
  'terms.parts_refunded':
    '{amount} ont été remboursés sur les cartes ou comptes avec lesquels vous avez payé, en un remboursement par paiement : {parts}.',
  'terms.part_refunding':
    '{parts} sont en cours de remboursement sur la carte ou le compte avec lequel vous avez payé. La banque peut mettre plusieurs jours.',
  'terms.parts_refunding':
    '{amount} sont en cours de remboursement sur les cartes ou comptes avec lesquels vous avez payé, en un remboursement par paiement.',
  'terms.parts_done': '{parts} ont été remboursés.',
  'terms.parts_coming':
    '{parts} sont encore en cours de remboursement. La banque peut mettre plusieurs jours.',

  'terms.number_with_reference': '{number} – « {reference} »',
  'terms.more': 'Autres',
  'terms.more_lines': '{lines, plural, one {# ligne} other {# lignes}}',
  'terms.booked_by': 'Réservé par',
  'terms.ending_in': '{means} se terminant par {last4}',
  'terms.by_card': 'carte',
  'terms.by_card_terminal': 'terminal de paiement',
  'terms.by_cash': 'espèces',
  'terms.by_bank_transfer': 'virement',
  'terms.by_cheque': 'chèque',
  'terms.by_direct_debit': 'prélèvement',
  'terms.by_other': 'autre moyen',
};
