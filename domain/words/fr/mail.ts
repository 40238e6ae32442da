import type { mail as en } from '../en/mail.js';

export const mail: Record<keyof typeof en, string> = {
  'mail.hello': 'Bonjour,',
  'mail.hello_name': 'Bonjour {name},',
  'mail.questions': 'Une question ? Contactez {name} à l’adresse <mail>{email}</mail>.',
  'mail.wrote': 'Message de {name}',
  'mail.you_wrote': 'Votre message',
  'mail.continue_to_payment': 'Continuer vers le paiement',

  'mail.held_subject': 'Terminez votre réservation : {room}',
  'mail.held':
    'Nous vous gardons {room} jusqu’au {time}. Pour confirmer votre réservation, payez {amount} d’ici là.',
  'mail.held_just_paid':
    'Si vous venez de payer, ne tenez pas compte de cet e-mail : votre confirmation est en route.',
  'mail.confirmed_subject': 'Votre réservation est confirmée : {room}',
  'mail.confirmed': 'Votre réservation est confirmée.',
  'mail.confirmed_paid': 'Votre réservation est confirmée et {amount} ont été payés.',
  'mail.on_account_of':
    'Le montant de {amount} est facturé à {company}. La facture lui est envoyée directement.',
  'mail.on_account': 'Le montant de {amount} vous est facturé ; l’échéance figure sur votre facture.',
  'mail.calendar_adds':
    'La plupart des agendas ajoutent la réservation automatiquement. Si ce n’est pas le cas du vôtre, ouvrez le fichier joint.',
  'mail.calendar_moves':
    'La plupart des agendas déplacent la réservation automatiquement. Si ce n’est pas le cas du vôtre, ouvrez le fichier joint.',
  'mail.calendar_removes':
    'La plupart des agendas retirent la réservation automatiquement. Si ce n’est pas le cas du vôtre, ouvrez le fichier joint.',
  'mail.reminder_subject': 'Rappel : {room}, {time}',
  'mail.reminder': 'Voici un rappel de votre réservation.',
  'mail.expired_subject': 'Votre réservation a expiré : {room}',
  'mail.expired': 'Votre paiement n’est pas arrivé à temps ; la salle a donc été libérée.',
  'mail.book_again_any_time': 'Vous pouvez réserver à nouveau à tout moment.',
  'mail.book_again': 'Réserver à nouveau',
  'mail.change_subject': 'Payez la modification de votre réservation : {room}',
  'mail.change':
    'Pour modifier votre réservation comme suit, payez {amount} : {booking}. Nous vous gardons cet horaire jusqu’au {time}.',
  'mail.change_with_extras':
    'Pour modifier votre réservation comme suit, payez {amount} : {booking} avec {extras}. Nous vous gardons cet horaire jusqu’au {time}.',
  'mail.change_not_paid':
    'Sans paiement d’ici là, votre réservation reste inchangée. Si vous venez de payer, ne tenez pas compte de cet e-mail.',
  'mail.changed_subject': 'Votre réservation a été modifiée : {room}',
  'mail.changed': 'Votre réservation a été modifiée. Les nouvelles informations figurent ci-dessous.',
  'mail.changed_by_workspace':
    '{name} a modifié votre réservation. Les nouvelles informations figurent ci-dessous.',
  'mail.price_charged':
    'Le nouveau prix est de {price}. {amount} supplémentaires ont été débités de votre carte, soit {paid} au total.',
  'mail.price_paid':
    'Le nouveau prix est de {price}. Vous avez payé {amount} supplémentaires, soit {paid} au total.',
  'mail.price_refunded': 'Le nouveau prix est de {price}. {refund}',
  'mail.price_same': 'Le prix est de {price}. Rien n’a été débité ni remboursé pour la modification.',
  'mail.charged_before': 'Pour cette modification, {amount} ont été débités de votre carte.',
  'mail.paid_before': 'Pour cette modification, vous avez payé {amount}.',
  'mail.changed_again':
    'Depuis, la réservation a de nouveau été modifiée. Son prix est maintenant de {price}.',
  'mail.note_subject': 'Au sujet de votre réservation : {room}',
  'mail.note':
    '{name} vous a envoyé un message au sujet de votre réservation. La réservation elle-même n’a pas changé.',
  'mail.cancelled_subject': 'Votre réservation est annulée : {room}',
  'mail.cancelled': 'Votre réservation a été annulée.',
  'mail.cancelled_by_payer': 'Votre réservation a été annulée à votre demande.',
  'mail.cancelled_by_workspace': '{name} a annulé votre réservation.',
  'mail.refund_subject': 'Remboursement de votre réservation : {room}',
  'mail.refund_made_subject': 'Votre remboursement de {amount} est terminé',
  'mail.refund_failed_subject': 'Votre remboursement de {amount} a échoué',
  'mail.refund_returned_subject': 'Votre banque a rejeté votre remboursement de {amount}',
  'mail.refund_returned':
    'Le remboursement de {amount} a été rejeté par la banque : il n’a pas pu être crédité sur la carte ou le compte avec lequel vous avez payé. {payee} en a été informé.',
  'mail.refund_failed_contact': 'Pour récupérer cette somme par un autre moyen, contactez {name}.',
  'mail.late_subject': 'Votre paiement a été remboursé : {room}',
  'mail.late_not_due': 'Votre paiement de {amount} est arrivé alors qu’il n’était plus dû.',
  'mail.booking_unchanged': 'Votre réservation n’a pas changé.',
  'mail.late_released': 'Votre paiement de {amount} est arrivé après la libération de la salle.',
  'mail.late_refunded':
    'Il a été intégralement remboursé sur la carte ou le compte avec lequel vous avez payé.',
  'mail.including_tax': '{price}, dont {tax} de taxe',
  'mail.including_tax_rate': '{price}, dont {tax} de taxe ({rate} %)',
  'mail.paid': 'Payé',
  'mail.to_pay': 'À payer',
  'mail.on_account_fact': '{amount}, sur facture',
  'mail.see': 'Voir votre réservation',
  'mail.see_move_or_cancel': 'Voir, déplacer ou annuler votre réservation',
  'mail.see_or_cancel': 'Voir ou annuler votre réservation',
  'mail.directions_from': 'Itinéraire indiqué par {name}',
  'mail.access_from': 'Consignes d’accès de {name}',

  'mail.proof_subject': 'Confirmez votre réservation : {room}',
  'mail.proof': 'Nous vous gardons {room} jusqu’au {time}. Confirmez votre réservation d’ici là :',
  'mail.proof_button': 'Confirmer la réservation',
  'mail.proof_not_you':
    'Si vous n’avez rien réservé, ne tenez pas compte de cet e-mail : rien n’est réservé sans votre confirmation.',

  'mail.with_sender': '{subject} ({name})',
  'mail.was_due': '{amount} étaient dus le {day}. Merci de payer dès que possible.',
  'mail.please_pay': 'Merci de payer {amount} au plus tard le {day}.',
  'mail.charged_now':
    '{amount} vont maintenant être débités de votre carte se terminant par {last4}. Vous n’avez rien à faire.',
  'mail.charged_on':
    '{amount} seront débités le {day} de votre carte se terminant par {last4}. Vous n’avez rien à faire.',
  'mail.has_been_paid': 'Elle a été payée. Vous n’avez rien à faire.',
  'mail.invoice_subject': 'Facture {reference}',
  'mail.invoice_has_been_paid': 'Votre facture a été payée. Vous n’avez rien à faire.',
  'mail.bank_asks_subject': 'Confirmez le paiement de la facture {reference} auprès de votre banque',
  'mail.bank_asks':
    'Votre carte n’a pas été débitée, car votre banque vous demande de confirmer le paiement. Ouvrez la facture pour payer {amount} et confirmer.',
  'mail.declined_subject': 'Votre carte a été refusée pour la facture {reference}',
  'mail.declined_again':
    '{amount} n’ont pas pu être débités de votre carte. Nous réessaierons le {day}, sauf si la facture est payée d’ici là. Vous pouvez aussi payer avec une autre carte ou un autre moyen de paiement.',
  'mail.declined':
    '{amount} n’ont pas pu être débités de votre carte. Merci de payer avec une autre carte ou un autre moyen de paiement.',
  'mail.past_due_subject': 'Facture {reference} : paiement en retard',
  'mail.due_subject': 'La facture {reference} arrive à échéance le {day}',
  'mail.replaces': 'Elle remplace la facture {reference}, qui n’est plus à payer.',
  'mail.invoice_attached': 'Vous trouverez ci-joint la facture {reference} d’un montant de {amount}.',
  'mail.invoice_opened_subject': 'Votre facture {reference}',
  'mail.invoice_opened': '{name} vous a envoyé une facture de {amount}.',
  'mail.receipt_subject': 'Reçu pour la facture {reference}',
  'mail.receipt': 'Nous avons reçu votre paiement de {amount} le {day} ({means}).',
  'mail.remains': 'Il reste {amount} à payer.',
  'mail.voided_subject': 'La facture {reference} n’est plus à payer',
  'mail.voided': 'La facture {reference} de {amount} n’est plus à payer. Merci de ne pas la régler.',
  'mail.voided_with_booking':
    'La facture {reference} de {amount} n’est plus à payer, car la réservation a été annulée. Merci de ne pas la régler.',
  'mail.takes_its_place': 'Elle est remplacée par la facture {reference} de {amount}.',
  'mail.invoice_refund_subject': 'Remboursement de la facture {reference}',
  'mail.paid_excess': 'Vous avez payé {amount} de plus que le montant dû.',
  'mail.credit_notes':
    '{n, plural, one {L’avoir est joint. Vous pouvez aussi le télécharger depuis la page de la facture.} other {Les avoirs sont joints. Vous pouvez aussi les télécharger depuis la page de la facture.}}',
  'mail.view_and_pay': 'Voir et payer la facture',
  'mail.view': 'Voir la facture',
  'mail.has_invoiced': 'Facturé par {name} :',

  'mail.statement_subject': 'Votre relevé pour {month} ({name})',
  'mail.statement': 'Voici votre relevé pour {month}.',
  'mail.statement_card':
    'Les factures sont débitées de votre carte se terminant par {last4} à leur échéance. Si la carte a été refusée, payez avec les liens ci-dessous.',
  'mail.item_due': 'du {invoiced}, échéance le {due} ; {amount}',
  'mail.item_was_due': 'du {invoiced}, échue le {due} ; {amount}',
  'mail.item_paid': '{item}, {amount} payés',
  'mail.entry_payment': '{day}, paiement de {reference}',
  'mail.entry_refund': '{day}, remboursement de {reference}',
  'mail.entry_cancelled': '{day}, {reference} a été annulée',
  'mail.more_invoices':
    '{n, plural, one {Et # autre facture impayée, comprise dans le total.} other {Et # autres factures impayées, comprises dans le total.}}',
  'mail.more_entries':
    '{n, plural, one {Et # autre paiement ou avoir.} other {Et # autres paiements et avoirs.}}',
  'mail.payments_in': 'Paiements et avoirs en {month} :',
  'mail.issued_subject': 'Relevé {number} ({name})',
  'mail.issued': 'Votre relevé {number} du {from} au {to} est joint en PDF.',
};
