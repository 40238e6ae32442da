import type { page as en } from '../en/page.js';

export const page: Record<keyof typeof en, string> = {
  'page.none_here': 'Aquí no hay ninguna página de reservas',
  'page.none_here_help': 'Compruebe la dirección o pregunte en el lugar que quiere reservar.',
  'page.switched_off': 'Las reservas en línea están desactivadas',
  'page.switched_off_help': '{name} no acepta reservas en esta página por ahora.',
  'page.maintenance': 'Las reservas en línea están suspendidas por mantenimiento',
  'page.maintenance_help': 'Vuelva más tarde. Las reservas existentes no se ven afectadas.',
  'page.room_not_here': 'Esta sala no se puede reservar aquí',
  'page.see_all_rooms': 'Ver todas las salas',

  'page.book_a_room': 'Reservar una sala',
  'page.no_room': 'Por ahora no hay ninguna sala que se pueda reservar en línea.',
  'page.no_payments':
    '{name} no puede recibir pagos en línea por ahora, así que aquí no se puede reservar ninguna sala.',
  'page.price_by_time': 'Precio según el horario que elija',
  'page.from_price': 'Desde {price} por {length}',
  'page.price_an_hour': '{price} la hora',
  'page.choose_time': 'Elegir horario',
  'page.choose_time_in': 'Elegir horario en {room}',
  'page.capacity': '{people, plural, one {Para una persona} other {Hasta # personas}}',
  'page.pictures_of': 'Fotos de {room}',
  'page.picture': '{room}, foto {n}',

  'page.times_in': 'Los horarios son los de {zone}.',
  'page.own_zone': 'Debajo de cada uno está la hora en {zone}.',
  'page.other_days': 'Otros días',
  'page.nothing_free': '{day}, nada libre',
  'page.later': 'Más tarde',
  'page.all_rooms': 'Todas las salas',

  'page.your_details': 'Sus datos',
  'page.just_taken': 'Este horario se acaba de ocupar',
  'page.others_free':
    'No se ha reservado ni cobrado nada. Estos horarios están libres, y lo que escribió sigue aquí.',
  'page.none_free':
    'No se ha reservado ni cobrado nada, y no hay nada libre de esta duración en los próximos {days} días.',
  'page.optional': '{label} (opcional)',
  'page.choose': 'Elegir…',
  'page.your_name': 'Su nombre',
  'page.email': 'Correo electrónico',
  'page.people': 'Número de personas',
  'page.for_company': 'Reservar para una empresa',
  'page.company': 'Empresa',
  'page.vat_number': 'NIF-IVA',
  'page.order_reference': 'Su número de pedido',
  'page.use_code': 'Usar un código de descuento',
  'page.code': 'Código de descuento',
  'page.code_help': 'Verá el precio con el código antes de pagar.',
  'page.accept_terms': 'Acepto las <a>condiciones</a>.',
  'page.choose_other_time': 'Elegir otro horario',
  'page.slot': '{time}, {price}',
  'page.slot_free': '{time}, gratis',
  'page.checking':
    'Desde su conexión se han retenido varias salas en 10 minutos, así que su navegador resuelve antes un cálculo. Tarda unos segundos; después su reserva continúa sola.',
  'page.unchecked':
    'Desde su conexión se han retenido varias salas en 10 minutos. Para comprobar que lo hacen personas, la página necesita scripts, que su navegador no ejecuta aquí. Pulse de nuevo el botón de abajo dentro de 10 minutos o pida a {name} que reserve por usted. Aún no se ha reservado nada, y lo que escribió sigue aquí.',
  'page.book_and_pay': 'Reservar y pagar',
  'page.book_and_pay_amount': 'Reservar y pagar {amount}',
  'page.book': 'Reservar',
  'page.held_by_mail':
    'La sala queda retenida durante {length}. Le enviaremos por correo un enlace para confirmar la reserva.',
  'page.held_for_payment': 'La sala queda retenida durante {length} mientras paga en la página siguiente.',

  'page.answer_this': 'Responda a esta pregunta.',
  'page.accept_to_book': 'Acepte las condiciones para reservar.',
  'page.sent_before':
    'Ya envió este formulario con otros datos, y esa reserva está retenida para usted. Para hacer otra, elija de nuevo un horario.',
  'page.price_with_code': 'Este es el precio con su código. Aún no se ha reservado nada.',
  'page.price_with_extras': 'Este es el precio con sus extras. Aún no se ha reservado nada.',
  'page.price_changed': 'El precio ha cambiado desde que abrió esta página. Aún no se ha reservado nada.',
  'page.confirm_by_mail': 'Confirme su reserva por correo',
  'page.link_mailed':
    'Hemos enviado un enlace a {email}. Ábralo antes de las {time} para confirmar su reserva; después la sala vuelve a estar libre. Una dirección recibe como máximo un enlace de este tipo al día, hasta que use uno.',
  'page.booking_ended': 'Esta reserva ya no está activa',
  'page.confirmation_mailed': 'Le hemos enviado por correo la confirmación, con un enlace a su reserva.',
  'page.not_paid_or_cancelled': 'No se pagó a tiempo o se canceló.',

  'page.link_ended': 'Este enlace ya no es válido',
  'page.not_held':
    'La sala ya no está retenida para usted y no hay nada reservado. Puede reservarla de nuevo.',
  'page.link_replaced':
    'Los enlaces de esta reserva se han sustituido. El nuevo está en el último correo sobre ella.',
  'page.cannot_confirm': 'No hemos podido confirmar su reserva en este momento',
  'page.cannot_show': 'No podemos mostrar su reserva en este momento',
  'page.our_side_maybe_confirmed':
    'Algo no funciona por nuestra parte. Es posible que su reserva se haya confirmado; en ese caso, le enviaremos la confirmación por correo. Aunque lo intente de nuevo, no se reservará dos veces.',
  'page.our_side_unchanged': 'Algo no funciona por nuestra parte. No ha cambiado nada.',
  'page.link_still_works':
    'Su enlace sigue siendo válido: este fallo no lo invalida. La sala está retenida solo hasta la hora que indica nuestro correo: inténtelo de nuevo en un minuto.',
  'page.confirm_title': 'Confirme su reserva',
  'page.confirm': 'Confirmar reserva',
};
