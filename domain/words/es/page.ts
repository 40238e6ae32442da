import type { page as en } from '../en/page.js';

export const page: Record<keyof typeof en, string> = {
  'page.none_here': 'No hay ninguna página de reservas en esta dirección',
  'page.none_here_help': 'Compruebe la dirección o póngase en contacto con el lugar donde quiere reservar.',
  'page.switched_off': 'Las reservas en línea están desactivadas',
  'page.switched_off_help': '{name} no acepta reservas en esta página en este momento.',
  'page.maintenance': 'Las reservas en línea no están disponibles por mantenimiento',
  'page.maintenance_help': 'Vuelva más tarde. Las reservas existentes no se ven afectadas.',
  'page.room_not_here': 'Esta sala no se puede reservar aquí',
  'page.see_all_rooms': 'Ver todas las salas',

  'page.book_a_room': 'Reservar una sala',
  'page.no_room': 'En este momento no se puede reservar ninguna sala en línea.',
  'page.show_rooms': 'Ver salas',
  'page.no_room_for':
    'Ninguna sala tiene espacio para {people} personas. La más grande tiene espacio para {most}.',
  'page.no_payments':
    '{name} no puede recibir pagos en línea en este momento, así que aquí no se pueden reservar salas.',
  'page.price_by_time': 'Precio según el horario que elija',
  'page.from_price': 'Desde {price} la hora',
  'page.price_an_hour': '{price} la hora',
  'page.with_tax': 'impuestos incl.',
  'page.choose_time': 'Elegir horario',
  'page.choose_time_in': 'Elegir horario para {room}',
  'page.capacity': '{people, plural, one {Para una persona} other {Hasta # personas}}',
  'page.pictures_of': 'Fotos de {room}',
  'page.picture': '{room}, foto {n}',

  'page.times_in': 'Los horarios se muestran en la hora de {zone}.',
  'page.own_zone': 'Debajo de cada horario se muestra la hora de {zone}.',
  'page.all_rooms': 'Todas las salas',

  'page.your_details': 'Sus datos',
  'page.just_taken': 'Este horario se acaba de reservar',
  'page.others_free':
    'No se ha reservado ni cobrado nada. Estos horarios siguen libres y los datos que escribió se han conservado.',
  'page.none_free':
    'No se ha reservado ni cobrado nada. No hay ningún horario libre de esta duración en los próximos {days} días.',
  'page.optional': '(opcional)',
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
  'page.update_price': 'Actualizar precio',
  'page.your_booking': 'Su reserva',
  'page.accept_terms': 'Acepto las <a>condiciones</a>.',
  'page.terms': 'Condiciones',
  'page.terms_version': 'Versión {version}',
  'page.no_such_terms': 'Aquí no hay condiciones de esta versión.',
  'page.choose_other_time': 'Elegir otro horario',
  'page.slot': '{time}, {price}',
  'page.slot_free': '{time}, gratis',
  'page.checking':
    'Desde su conexión se han apartado varias salas en 10 minutos, así que estamos comprobando su navegador. Esto tarda unos segundos; después su reserva continúa automáticamente.',
  'page.unchecked':
    'Desde su conexión se han apartado varias salas en 10 minutos, así que tenemos que comprobar que es usted una persona. Para ello hace falta JavaScript, que su navegador no ejecuta aquí. Pulse de nuevo el botón de abajo dentro de 10 minutos o pida a {name} que reserve por usted. Aún no se ha reservado nada y los datos que escribió se han conservado.',
  'page.book_and_pay': 'Reservar y pagar',
  'page.book_and_pay_amount': 'Reservar y pagar {amount}',
  'page.book': 'Reservar',
  'page.held_by_mail':
    'Le guardamos la sala durante {length}. Le enviaremos por correo un enlace para confirmar la reserva.',
  'page.held_for_payment': 'Le guardamos la sala durante {length} mientras paga en la página siguiente.',

  'page.answer_this': 'Responda a esta pregunta.',
  'page.accept_to_book': 'Acepte las condiciones para reservar.',
  'page.sent_before': 'Ya envió este formulario',
  'page.sent_before_help':
    'No se ha reservado ni cobrado nada por los datos que acaba de enviar. Su reserva anterior no ha cambiado.',
  'page.price_with_code': 'Este es el precio con su código. Aún no se ha reservado nada.',
  'page.price_with_extras': 'Este es el precio con sus extras. Aún no se ha reservado nada.',
  'page.price_changed': 'El precio ha cambiado desde que abrió esta página. Aún no se ha reservado nada.',
  'page.confirm_by_mail': 'Confirme su reserva por correo',
  'page.link_mailed':
    'Hemos enviado un enlace a {email}. Ábralo dentro del plazo para confirmar su reserva. Fin del plazo: {time}. Después, la sala vuelve a quedar libre. A cada dirección le enviamos como máximo un enlace de este tipo al día, hasta que se use uno de ellos.',
  'page.booking_ended': 'Esta reserva ya no está activa',
  'page.confirmation_mailed': 'Le hemos enviado por correo la confirmación, con un enlace a su reserva.',
  'page.not_paid_or_cancelled': 'No se pagó a tiempo, o bien se canceló.',

  'page.link_ended': 'Este enlace ya no es válido',
  'page.not_held': 'Ya no le guardamos la sala y no hay nada reservado. Puede reservarla de nuevo.',
  'page.link_replaced':
    'El enlace de esta reserva se ha sustituido. Encontrará el nuevo en el último correo sobre la reserva.',
  'page.cannot_confirm': 'No hemos podido confirmar su reserva',
  'page.cannot_show': 'No podemos mostrar su reserva en este momento',
  'page.our_side_maybe_confirmed':
    'Ha ocurrido un error por nuestra parte. Es posible que su reserva se haya confirmado de todos modos; en ese caso, le enviaremos la confirmación por correo. Puede intentarlo de nuevo sin reservar dos veces.',
  'page.our_side_unchanged': 'Ha ocurrido un error por nuestra parte. No ha cambiado nada.',
  'page.link_still_works':
    'Su enlace sigue siendo válido. Inténtelo de nuevo en un minuto: solo le guardamos la sala hasta la hora que indica nuestro correo.',
  'page.confirm_title': 'Confirme su reserva',
  'page.confirm': 'Confirmar reserva',
};
