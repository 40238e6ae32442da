import type { payer as en } from '../en/payer.js';

export const payer: Record<keyof typeof en, string> = {
  'payer.language': 'Langue',
  'payer.bookings_by': 'Réservations avec Holdfast',
  'payer.check_again': 'Vérifier à nouveau',
  'payer.booked_with': 'Réservé auprès de',
  'payer.room': 'Salle',
  'payer.time': 'Horaire',
  'payer.price': 'Prix',
  'payer.name': 'Nom',
  'payer.reference': 'Référence',
  'payer.booking': 'Réservation',
  'payer.address': 'Adresse',
  'payer.directions': 'Itinéraire',
  'payer.access': 'Accès',
  'payer.cancellation': 'Annulation',
  'payer.book_again': 'Réserver à nouveau',
  'payer.contact_to_book_again': 'Pour réserver à nouveau, contactez {name}.',
  'payer.questions': 'Une question ? Contactez {name} à l’adresse <mail>{email}</mail>.',
  'payer.extras': 'Options',
  'payer.price_per_booking': '{price} par réservation',
  'payer.price_per_hour': '{price} par heure',
  'payer.price_per_attendee': '{price} par personne',
  'payer.price_per_piece': '{price} l’unité',
  'payer.try_again': 'Réessayer',
  'payer.back': 'Retour',
  'payer.too_many_requests': 'Trop de demandes',
  'payer.try_again_in': 'Réessayez dans {seconds, plural, one {# seconde} other {# secondes}}.',
  'payer.failed': 'Cette demande a échoué',
  'payer.wrong_on_our_side': 'Un problème est survenu de notre côté',
  'payer.error_is_logged':
    'L’erreur a été enregistrée. Avant de réessayer, vérifiez si votre demande a déjà été traitée.',
  'payer.from_other_site': 'Ce formulaire a été envoyé depuis un autre site',
  'payer.reload': 'Rechargez la page et envoyez à nouveau le formulaire.',

  'payer.checkout_unknown': 'Page de paiement introuvable',
  'payer.checkout_unknown_help':
    'Ouvrez à nouveau le lien de votre réservation, ou contactez l’établissement auprès duquel vous avez réservé.',
  'payer.checkout_closed': 'Cette page de paiement est fermée',
  'payer.back_to': 'Retour à {name}',
  'payer.confirming': 'Votre paiement est en cours de confirmation',
  'payer.confirming_booking':
    'Cette page s’actualise automatiquement. Vous pouvez aussi la fermer : nous vous enverrons la confirmation par e-mail.',
  'payer.confirming_change':
    'Cette page s’actualise automatiquement. Vous pouvez aussi la fermer : nous vous écrirons dès que la modification sera faite.',
  'payer.confirming_invoice': 'Cette page s’actualise automatiquement. Vous pouvez aussi la fermer.',
  'payer.confirmed': 'Votre réservation est confirmée',
  'payer.confirmation_mailed': 'Nous vous avons envoyé la confirmation par e-mail.',
  'payer.add_to_calendar': 'Ajouter à l’agenda',
  'payer.view_move_or_cancel': 'Voir, déplacer ou annuler la réservation',
  'payer.view_or_cancel': 'Voir ou annuler la réservation',
  'payer.view_booking': 'Voir la réservation',
  'payer.expired': 'Votre réservation a expiré',
  'payer.cancelled': 'Votre réservation a été annulée',
  'payer.expired_why':
    'Votre paiement n’a pas été confirmé dans le délai prévu ; la salle a donc été libérée.',
  'payer.hold_expired': 'Le délai de votre réservation a expiré',
  'payer.hold_ended':
    'Nous ne vous gardons plus la salle. Fin du délai : {time}. Si vous avez payé avant, nous vous enverrons la confirmation par e-mail.',
  'payer.left_checkout': 'Vous avez quitté la page de paiement',
  'payer.held_until': 'Nous vous gardons la salle. Fin du délai : {time}.',
  'payer.continue_to_payment': 'Continuer vers le paiement',
  'payer.pay': 'Payer {amount}',
  'payer.pay_now': 'Payer {amount} maintenant',

  'payer.change_held_until':
    'Nous vous gardons cette modification. Fin du délai : {time}. Votre réservation reste inchangée tant que vous n’avez pas payé.',
  'payer.changed': 'Votre réservation a été modifiée',
  'payer.not_changed': 'Votre réservation n’a pas été modifiée',
  'payer.change_mailed':
    'Nous vous avons envoyé par e-mail les nouveaux détails de votre réservation et les montants.',
  'payer.change_not_paid':
    'La modification n’a pas été payée à temps, ou elle a été annulée. Tout paiement tardif sera intégralement remboursé sur le moyen de paiement d’origine.',

  'payer.invoice': 'Facture',
  'payer.invoice_from': 'Facture de {name}',
  'payer.from': 'Émise par',
  'payer.payment_received': 'Nous avons bien reçu votre paiement',
  'payer.view_invoice': 'Voir la facture et le reçu',
  'payer.invoice_not_due': 'Cette facture n’est plus à payer',
  'payer.late_payment_goes_back':
    'Tout paiement tardif sera intégralement remboursé sur le moyen de paiement d’origine.',
  'payer.invoice_not_paid': 'La facture n’est pas encore payée.',
  'payer.invoice_unknown': 'Facture introuvable',
  'payer.invoice_unknown_help':
    'Ouvrez à nouveau le lien de votre e-mail, ou contactez l’expéditeur de la facture.',
  'payer.invoice_by_link': 'Ouvrez votre facture avec le lien de votre e-mail',
  'payer.no_cookie':
    'Cette page ne s’ouvre que dans un navigateur où vous avez ouvert le lien de votre e-mail. Si vous venez d’ouvrir ce lien, votre navigateur a bloqué un cookie dont la page a besoin. Autorisez les cookies pour ce site, ou ouvrez le lien dans un autre navigateur.',
  'payer.invoice_paid': 'Cette facture a été payée',
  'payer.invoice_refunded': 'Cette facture a été remboursée',
  'payer.card_charging': '{amount} sont en cours de débit sur votre carte. Vous n’avez rien à faire.',
  'payer.card_needs_you':
    'Votre carte n’a pas été débitée, car votre banque vous demande de confirmer le paiement. Vous pouvez payer et confirmer ici.',
  'payer.card_retrying':
    'Votre carte a été refusée. Elle sera à nouveau débitée le {day}, sauf si la facture est payée d’ici là.',
  'payer.card_charged_soon':
    '{amount} seront bientôt débités de votre carte se terminant par {last4}. Vous n’avez rien à faire.',
  'payer.card_charged_on':
    '{amount} seront débités le {day} de votre carte se terminant par {last4}. Vous n’avez rien à faire.',
  'payer.below_minimum':
    '{amount} ne peuvent pas être payés par carte : le montant minimum par carte est de {bound}.',
  'payer.above_maximum':
    '{amount} ne peuvent pas être payés par carte : le montant maximum par carte est de {bound}.',
  'payer.not_in_steps':
    '{amount} ne peuvent pas être payés par carte : le montant d’un paiement par carte doit être un multiple de {bound}.',
  'payer.not_online': 'Cette facture ne peut pas être payée en ligne pour le moment.',
  'payer.contact_to_pay': 'Contactez {name} pour la payer.',
  'payer.takes_its_place': 'La facture {number} la remplace.',
  'payer.not_started': 'Le paiement n’a pas pu être lancé',
  'payer.not_started_help': 'Rien n’a été débité. Réessayez dans un instant, ou contactez {name}.',
  'payer.back_to_invoice': 'Retour à la facture',
  'payer.amount_due': 'Reste à payer',
  'payer.due': 'Échéance',
  'payer.was_due': 'Échue le',
  'payer.download_invoice': 'Télécharger la facture (PDF)',
  'payer.paid_on': 'Payé le {day} : {means}',
  'payer.being_refunded': 'Remboursement en cours',
  'payer.refunded_on': 'Remboursé le {day}',
  'payer.document_invoice': 'Facture {number} (PDF)',
  'payer.document_supplement': 'Facture complémentaire {number} (PDF)',
  'payer.document_credit_note': 'Avoir {number} (PDF)',
  'payer.refund_of': 'Remboursement de {amount} (PDF)',

  'payer.link_unknown': 'Ce lien n’est pas valide',
  'payer.card_link_unknown': 'Demandez un nouveau lien pour enregistrer une carte.',
  'payer.card_saved': 'Votre carte est enregistrée',
  'payer.card_saved_help':
    'Vos factures ne sont débitées de cette carte que si {name} a activé le paiement automatique pour vous. Vous pouvez fermer cette page.',
  'payer.membership': 'Votre adhésion',
  'payer.page_expired': 'Cette page a expiré',
  'payer.card_not_saved': 'Aucune carte n’a été enregistrée. Demandez un nouveau lien à {name}.',
  'payer.card_waiting': 'Nous attendons les informations de votre carte',
  'payer.card_waiting_help':
    'Cette page s’actualise automatiquement. Si vous n’avez pas encore enregistré votre carte, continuez ici.',
  'payer.continue': 'Continuer',

  'payer.link_dead': 'Ce lien ne fonctionne pas',
  'payer.link_dead_help':
    'Il est incomplet ou a été remplacé. Ouvrez le lien du dernier e-mail au sujet de votre réservation, ou contactez l’établissement auprès duquel vous avez réservé.',
  'payer.booking_by_link': 'Ouvrez votre réservation avec le lien de votre e-mail',
  'payer.not_changeable': 'Cette réservation ne peut pas être modifiée en ligne',
  'payer.on_request': 'Pour modifier ou annuler une réservation de cette salle, contactez {name}.',
  'payer.back_to_booking': 'Retour à la réservation',
  'payer.not_paid_yet': 'Votre réservation n’est pas encore payée',
  'payer.ended': 'Votre réservation est terminée',
  'payer.done_withdrawn': 'La modification a été annulée. Votre réservation n’a pas changé.',
  'payer.done_moved':
    'Votre réservation a été déplacée. Nous vous avons envoyé par e-mail le nouvel horaire et les montants.',
  'payer.done_extras':
    'Les options de votre réservation ont été modifiées. Nous vous avons envoyé les montants par e-mail.',
  'payer.done_same': 'Votre réservation est déjà prévue à cet horaire. Rien n’a changé.',
  'payer.done_cancelled': 'Nous vous avons envoyé par e-mail une confirmation de l’annulation.',
  'payer.lost_change':
    'Votre modification n’était pas encore payée et a été annulée. Tout paiement tardif à ce titre sera intégralement remboursé.',
  'payer.to_pay': 'À payer',
  'payer.to_pay_on_account': '{amount} au plus tard le {day}, sur facture ({number})',
  'payer.move_booking': 'Déplacer la réservation',
  'payer.change_extras': 'Modifier les options',
  'payer.cancel_booking': 'Annuler la réservation',
  'payer.contact_to_change': 'Pour déplacer ou annuler la réservation, contactez {name}.',

  'payer.cancel_title': 'Annuler cette réservation ?',
  'payer.refund_changed':
    'Le remboursement a changé depuis que vous avez ouvert cette page. Rien n’a été annulé.',
  'payer.cannot_be_undone': 'Cette action est irréversible.',
  'payer.account_waived': 'Cette réservation est à régler sur facture : {amount} ne sont plus dus.',
  'payer.account_kept': 'Cette réservation est à régler sur facture : {amount} restent dus.',
  'payer.account_waived_kept':
    'Cette réservation est à régler sur facture : {waived} ne sont plus dus, {kept} restent dus.',
  'payer.nothing_paid': 'Rien n’a été payé, donc rien n’est remboursé.',
  'payer.nothing_refunded': 'Selon les conditions de remboursement, rien n’est remboursé.',
  'payer.change_withdrawn_too':
    'Vous n’avez pas encore payé votre modification ({to}). Elle sera annulée avec la réservation, et rien ne sera débité à ce titre.',
  'payer.cancel_and_refund': 'Annuler et récupérer {amount}',
  'payer.keep_booking': 'Garder la réservation',

  'payer.extras_title': 'Options de votre réservation',
  'payer.review_price': 'Voir le prix',
  'payer.extras_ask': 'Modifier vos options ?',
  'payer.price_changed_not_changed':
    'Le prix a changé depuis que vous avez ouvert cette page. Rien n’a été modifié.',
  'payer.price_changed_not_moved':
    'Le prix a changé depuis que vous avez ouvert cette page. Rien n’a été déplacé.',
  'payer.current': 'Actuel',
  'payer.new': 'Nouveau',
  'payer.no_extras': 'Aucune option',
  'payer.price_unchanged': '{amount}, inchangé',
  'payer.change_and_pay': 'Modifier et payer {amount}',
  'payer.change_and_refund': 'Modifier et récupérer {amount}',
  'payer.other_extras': 'Choisir d’autres options',
  'payer.paid_then_changed': 'Votre réservation sera modifiée dès que vous aurez payé la différence.',

  'payer.difference_due':
    '{amount} sont dus. Vous payez à la page suivante, et votre réservation sera modifiée dès que le paiement aura abouti.',
  'payer.no_difference': 'Rien n’est débité ni remboursé.',
  'payer.credits_returned': 'Heures de crédit restituées au mois dont elles proviennent : {hours}.',
  'payer.rest_of_difference_kept':
    'Selon les conditions de remboursement, les {amount} restants de la différence ne sont pas remboursés.',
  'payer.difference_kept':
    'Selon les conditions de remboursement, la différence de {amount} n’est pas remboursée.',
  'payer.cap_after_move_none':
    'Si vous annulez après le changement d’horaire, les sommes déjà payées ne seront pas remboursées.',
  'payer.cap_after_move':
    'Si vous annulez après le changement d’horaire, le remboursement sera limité à {percent} % des sommes déjà payées.',
  'payer.due_after_move_all': 'Si vous annulez après le changement d’horaire, le prix entier reste dû.',
  'payer.due_after_move':
    'Si vous annulez après le changement d’horaire, au moins {percent} % du prix restent dus.',
  'payer.move_ask': 'Déplacer votre réservation ?',
  'payer.move_and_pay': 'Déplacer et payer {amount}',
  'payer.move_and_refund': 'Déplacer et récupérer {amount}',
  'payer.other_time': 'Choisir un autre horaire',
  'payer.not_movable': 'Cette réservation ne peut plus être déplacée',
  'payer.has_been_cancelled': 'Elle a été annulée.',
  'payer.has_expired': 'Elle a expiré, car elle n’a pas été payée à temps.',
  'payer.has_ended': 'Elle est terminée.',
  'payer.movable_once_paid': 'Elle pourra être déplacée une fois payée.',
  'payer.edit_window':
    'Les réservations de cette salle peuvent être déplacées jusqu’à {length} avant le début.',
  'payer.movable_until_start': 'Les réservations de cette salle peuvent être déplacées jusqu’au début.',
  'payer.move_title': 'Déplacer votre réservation',
  'payer.move_now': 'Actuellement : {booking}',
  'payer.owed_length':
    'Elle est à régler sur facture et la facture n’est pas encore payée. Vous pouvez la déplacer, mais pas changer sa durée.',
  'payer.day': 'Jour',
  'payer.length': 'Durée',
  'payer.show_free_times': 'Voir les horaires',
  'payer.previous_month': 'Mois précédent',
  'payer.next_month': 'Mois suivant',
  'payer.nothing_in_month': 'Aucun horaire n’est disponible en {month} pour {length}.',
  'payer.nothing_that_day': 'Aucun horaire n’est disponible ce jour-là pour {length}.',
  'payer.next_free_day': 'Le prochain jour disponible est le {day}.',
  'payer.nothing_those_days':
    'Aucun horaire n’est disponible pour {length} dans les {days} jours à compter de cette date. Choisissez un jour plus tard ou une autre durée.',
  'payer.pending_change':
    'Votre modification ({to}) coûte {amount} de plus. Nous vous la gardons. Fin du délai : {until}. Sans paiement d’ici là, votre réservation reste inchangée. Si vous annulez la réservation, la modification est annulée elle aussi.',
  'payer.cancel_change': 'Annuler la modification',

  'payer.error_payment_failed': 'Votre carte a été refusée. Rien n’a changé.',
  'payer.error_not_found': 'Cette modification n’est plus en attente de paiement.',
  'payer.error_change_pending':
    'Une modification précédente est encore en cours ou en attente de paiement. Payez-la, annulez-la, ou réessayez dans quelques minutes.',
  'payer.error_discount_unavailable':
    'Ce code ne peut pas être utilisé pour cette réservation. Rien n’est encore réservé. Vérifiez le code, ou laissez le champ vide.',
  'payer.error_amount_too_small':
    'Le prix pour cette durée est inférieur au minimum payable par carte. Choisissez une durée plus longue.',
  'payer.error_limit_reached':
    'Cette modification n’est pas possible pour le moment. Rien n’a changé. Réessayez plus tard.',
  'payer.error_slot_unavailable':
    'Cet horaire n’est plus disponible. Rien n’a changé. Choisissez un autre horaire.',
  'payer.error_no_payments': 'Le paiement en ligne n’est pas possible pour le moment, et rien n’a changé.',
  'payer.error_page_not_opened':
    'La page de paiement n’a pas pu être ouverte, et rien n’a changé. Réessayez dans quelques minutes.',
  'payer.error_payment_unknown':
    'Votre paiement n’est pas encore confirmé. Dès qu’il le sera, la réservation sera modifiée et nous vous écrirons. Merci de ne pas réessayer.',
  'payer.error_service_unavailable':
    'Un problème est survenu, et rien n’a changé. Réessayez dans quelques minutes.',
  'payer.error_not_cancellable': 'Cette réservation ne peut plus être annulée.',
  'payer.error_partly_paid':
    'La facture de cette réservation n’est payée qu’en partie. Réglez d’abord le reste, puis annulez la réservation.',
  'payer.error_not_editable': 'Cette réservation ne peut plus être modifiée.',
  'payer.error_extra_unavailable':
    'Une des options n’est pas disponible en cette quantité ou à cet horaire. Rien n’a changé. Réduisez la quantité ou choisissez un autre horaire.',
  'payer.error_rate_limited': 'Il y a eu trop de tentatives. Réessayez plus tard.',
  'payer.error_too_many_unpaid':
    'Vous avez d’autres réservations impayées. Payez-les ou annulez-les d’abord.',
  'payer.error_other': 'Ce n’est pas possible pour le moment. Rien n’a changé.',
  'payer.field_missing': 'Remplissez « {field} ».',
  'payer.field_email': 'Saisissez une adresse e-mail valide.',
  'payer.field_too_long': 'Raccourcissez « {field} ».',
  'payer.field_wrong': 'Vérifiez « {field} ».',
  'payer.form_wrong': 'Vérifiez ce que vous avez saisi.',
};
