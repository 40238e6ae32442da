import type { page as en } from '../en/page.js';

export const page: Record<keyof typeof en, string> = {
  'page.none_here': 'Aucune page de réservation à cette adresse',
  'page.none_here_help':
    'Vérifiez l’adresse, ou contactez l’établissement auprès duquel vous souhaitez réserver.',
  'page.switched_off': 'La réservation en ligne est désactivée',
  'page.switched_off_help': '{name} ne prend pas de réservations sur cette page pour le moment.',
  'page.maintenance': 'La réservation en ligne est indisponible pour cause de maintenance',
  'page.maintenance_help': 'Veuillez revenir plus tard. Les réservations existantes ne sont pas concernées.',
  'page.room_not_here': 'Cette salle ne peut pas être réservée ici',
  'page.see_all_rooms': 'Voir toutes les salles',

  'page.book_a_room': 'Réserver une salle',
  'page.no_room': 'Aucune salle ne peut être réservée en ligne pour le moment.',
  'page.show_rooms': 'Voir les salles',
  'page.no_room_for':
    'Aucune salle ne peut accueillir {people} personnes. La plus grande en accueille {most}.',
  'page.no_payments':
    '{name} ne peut pas recevoir de paiements en ligne pour le moment. Les salles ne peuvent donc pas être réservées ici.',
  'page.price_by_time': 'Prix selon l’horaire choisi',
  'page.from_price': 'À partir de {price} par heure',
  'page.price_an_hour': '{price} par heure',
  'page.with_tax': 'taxes comprises',
  'page.choose_time': 'Choisir un horaire',
  'page.choose_time_in': 'Choisir un horaire pour {room}',
  'page.capacity': '{people, plural, one {Pour une personne} other {Jusqu’à # personnes}}',
  'page.pictures_of': 'Photos de {room}',
  'page.picture': '{room}, photo {n}',

  'page.times_in': 'Les horaires sont indiqués dans le fuseau {zone}.',
  'page.own_zone': 'L’heure du fuseau {zone} figure sous chaque horaire.',
  'page.all_rooms': 'Toutes les salles',

  'page.your_details': 'Vos informations',
  'page.just_taken': 'Cet horaire vient d’être réservé',
  'page.others_free':
    'Rien n’a été réservé ni débité. Ces horaires sont encore disponibles, et les informations que vous avez saisies ont été conservées.',
  'page.none_free':
    'Rien n’a été réservé ni débité. Aucun horaire n’est disponible pour cette durée dans les {days} prochains jours.',
  'page.optional': '(facultatif)',
  'page.choose': 'Choisir…',
  'page.your_name': 'Votre nom',
  'page.email': 'Adresse e-mail',
  'page.people': 'Nombre de personnes',
  'page.for_company': 'Réserver pour une entreprise',
  'page.company': 'Entreprise',
  'page.vat_number': 'Numéro de TVA',
  'page.order_reference': 'Votre numéro de commande',
  'page.use_code': 'Utiliser un code de réduction',
  'page.code': 'Code de réduction',
  'page.update_price': 'Actualiser le prix',
  'page.your_booking': 'Votre réservation',
  'page.accept_terms': 'J’accepte les <a>conditions</a>.',
  'page.terms': 'Conditions',
  'page.terms_version': 'Version {version}',
  'page.no_such_terms': 'Il n’y a pas de conditions de cette version ici.',
  'page.choose_other_time': 'Choisir un autre horaire',
  'page.slot': '{time}, {price}',
  'page.slot_free': '{time}, gratuit',
  'page.checking':
    'Plusieurs salles ont été retenues en 10 minutes depuis votre connexion. Nous vérifions donc votre navigateur. Cela prend quelques secondes, puis votre réservation se poursuit automatiquement.',
  'page.unchecked':
    'Plusieurs salles ont été retenues en 10 minutes depuis votre connexion. Nous devons donc vérifier que vous êtes bien une personne. Cette vérification nécessite JavaScript, que votre navigateur n’exécute pas ici. Appuyez à nouveau sur le bouton ci-dessous dans 10 minutes, ou demandez à {name} de réserver pour vous. Rien n’est encore réservé, et les informations que vous avez saisies ont été conservées.',
  'page.book_and_pay': 'Réserver et payer',
  'page.book_and_pay_amount': 'Réserver et payer {amount}',
  'page.book': 'Réserver',
  'page.held_by_mail':
    'Nous vous gardons la salle pendant {length}. Vous recevrez par e-mail un lien pour confirmer votre réservation.',
  'page.held_for_payment':
    'Nous vous gardons la salle pendant {length}, le temps de payer à la page suivante.',

  'page.answer_this': 'Répondez à cette question.',
  'page.accept_to_book': 'Acceptez les conditions pour réserver.',
  'page.sent_before': 'Vous avez déjà envoyé ce formulaire',
  'page.sent_before_help':
    'Rien n’a été réservé ni débité pour ce que vous venez d’envoyer. Votre première réservation n’a pas changé.',
  'page.price_with_code': 'Voici le prix avec votre code. Rien n’est encore réservé.',
  'page.price_with_extras': 'Voici le prix avec vos options. Rien n’est encore réservé.',
  'page.price_changed': 'Le prix a changé depuis que vous avez ouvert cette page. Rien n’est encore réservé.',
  'page.confirm_by_mail': 'Confirmez votre réservation par e-mail',
  'page.link_mailed':
    'Nous avons envoyé un lien à {email}. Ouvrez-le pour confirmer votre réservation. Fin du délai : {time}. Ensuite, la salle sera de nouveau disponible. Nous envoyons à chaque adresse un seul lien de ce type par jour, tant qu’aucun n’a été utilisé.',
  'page.booking_ended': 'Cette réservation n’est plus active',
  'page.confirmation_mailed':
    'Nous vous avons envoyé par e-mail la confirmation, avec un lien vers votre réservation.',
  'page.not_paid_or_cancelled': 'Elle n’a pas été payée à temps, ou a été annulée.',

  'page.link_ended': 'Ce lien n’est plus valable',
  'page.not_held':
    'Nous ne vous gardons plus la salle, et rien n’est réservé. Vous pouvez la réserver à nouveau.',
  'page.link_replaced':
    'Le lien vers cette réservation a été remplacé. Vous trouverez le nouveau dans le dernier e-mail à son sujet.',
  'page.cannot_confirm': 'Nous n’avons pas pu confirmer votre réservation',
  'page.cannot_show': 'Nous ne pouvons pas afficher votre réservation pour l’instant',
  'page.our_side_maybe_confirmed':
    'Un problème est survenu de notre côté. Votre réservation a peut-être tout de même été confirmée ; dans ce cas, vous recevrez la confirmation par e-mail. Vous pouvez réessayer sans risque de double réservation.',
  'page.our_side_unchanged': 'Un problème est survenu de notre côté. Rien n’a changé.',
  'page.link_still_works':
    'Votre lien reste valable. Réessayez dans une minute : nous ne vous gardons la salle que jusqu’à l’heure indiquée dans notre e-mail.',
  'page.confirm_title': 'Confirmez votre réservation',
  'page.confirm': 'Confirmer la réservation',
};
