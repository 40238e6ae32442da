import type { payer as en } from '../en/payer.js';

export const payer: Record<keyof typeof en, string> = {
  'payer.language': 'Idioma',
  'payer.bookings_by': 'Reservas con Holdfast',
  'payer.check_again': 'Comprobar de nuevo',
  'payer.booked_with': 'Reservado en',
  'payer.room': 'Sala',
  'payer.time': 'Horario',
  'payer.price': 'Precio',
  'payer.name': 'Nombre',
  'payer.reference': 'Referencia',
  'payer.booking': 'Reserva',
  'payer.address': 'Dirección',
  'payer.directions': 'Cómo llegar',
  'payer.access': 'Cómo entrar',
  'payer.cancellation': 'Cancelación',
  'payer.book_again': 'Reservar de nuevo',
  'payer.contact_to_book_again': 'Para reservar de nuevo, póngase en contacto con {name}.',
  'payer.questions': '¿Tiene alguna pregunta? Escriba a {name}: <mail>{email}</mail>.',
  'payer.extras': 'Extras',
  'payer.price_per_booking': '{price} por reserva',
  'payer.price_per_hour': '{price} por hora',
  'payer.price_per_attendee': '{price} por persona',
  'payer.price_per_piece': '{price} por unidad',
  'payer.try_again': 'Intentar de nuevo',
  'payer.back': 'Volver',
  'payer.too_many_requests': 'Demasiadas solicitudes',
  'payer.try_again_in': 'Inténtelo de nuevo en {seconds, plural, one {# segundo} other {# segundos}}.',
  'payer.failed': 'Esta solicitud ha fallado',
  'payer.wrong_on_our_side': 'Ha ocurrido un error por nuestra parte',
  'payer.error_is_logged':
    'El error ha quedado registrado. Antes de intentarlo de nuevo, compruebe si su solicitud ya se ha procesado.',
  'payer.from_other_site': 'Este formulario se envió desde otro sitio',
  'payer.reload': 'Vuelva a cargar la página y envíe el formulario de nuevo.',

  'payer.checkout_unknown': 'Página de pago no encontrada',
  'payer.checkout_unknown_help':
    'Abra de nuevo el enlace de su reserva o póngase en contacto con el lugar donde reservó.',
  'payer.checkout_closed': 'Esta página de pago está cerrada',
  'payer.back_to': 'Volver a {name}',
  'payer.confirming': 'Aún estamos confirmando su pago',
  'payer.confirming_booking':
    'Esta página se actualiza automáticamente. También puede cerrarla: le enviaremos la confirmación por correo.',
  'payer.confirming_change':
    'Esta página se actualiza automáticamente. También puede cerrarla: le escribiremos cuando el cambio esté hecho.',
  'payer.confirming_invoice': 'Esta página se actualiza automáticamente. También puede cerrarla.',
  'payer.confirmed': 'Su reserva está confirmada',
  'payer.confirmation_mailed': 'Le hemos enviado la confirmación por correo.',
  'payer.add_to_calendar': 'Añadir al calendario',
  'payer.view_move_or_cancel': 'Ver, mover o cancelar la reserva',
  'payer.view_or_cancel': 'Ver o cancelar la reserva',
  'payer.view_booking': 'Ver la reserva',
  'payer.expired': 'Su reserva ha caducado',
  'payer.cancelled': 'Su reserva se ha cancelado',
  'payer.expired_why': 'Su pago no se confirmó dentro del plazo, así que la sala ha quedado libre.',
  'payer.hold_expired': 'El plazo para completar su reserva ha terminado',
  'payer.hold_ended':
    'Le guardamos la sala hasta: {time}. Si pagó antes, le enviaremos la confirmación por correo.',
  'payer.left_checkout': 'Ha salido de la página de pago',
  'payer.held_until': 'Le guardamos la sala hasta: {time}.',
  'payer.continue_to_payment': 'Continuar al pago',
  'payer.pay': 'Pagar {amount}',
  'payer.pay_now': 'Pagar {amount} ahora',

  'payer.change_held_until': 'Le guardamos el cambio hasta: {time}. Su reserva no cambia hasta que lo pague.',
  'payer.changed': 'Su reserva se ha modificado',
  'payer.not_changed': 'Su reserva no se ha modificado',
  'payer.change_mailed': 'Le hemos enviado por correo los nuevos datos de su reserva y los importes.',
  'payer.change_not_paid':
    'El cambio no se pagó a tiempo, o bien se anuló. Si aún llega algún pago, se reembolsa por completo en el medio de pago original.',

  'payer.invoice': 'Factura',
  'payer.invoice_from': 'Factura de {name}',
  'payer.from': 'De',
  'payer.payment_received': 'Hemos recibido su pago',
  'payer.view_invoice': 'Ver la factura y el recibo',
  'payer.invoice_not_due': 'Ya no hay que pagar esta factura',
  'payer.late_payment_goes_back':
    'Si aún llega algún pago, se reembolsa por completo en el medio de pago original.',
  'payer.invoice_not_paid': 'La factura aún no está pagada.',
  'payer.invoice_unknown': 'Factura no encontrada',
  'payer.invoice_unknown_help':
    'Abra de nuevo el enlace de su correo o póngase en contacto con quien emitió la factura.',
  'payer.invoice_by_link': 'Abra su factura con el enlace de su correo',
  'payer.no_cookie':
    'Esta página solo se abre en un navegador en el que haya abierto el enlace de su correo. Si acaba de abrirlo, su navegador ha bloqueado una cookie que la página necesita. Permita las cookies de este sitio o abra el enlace en otro navegador.',
  'payer.invoice_paid': 'Esta factura está pagada',
  'payer.invoice_refunded': 'Esta factura se ha reembolsado',
  'payer.card_charging': 'Se están cobrando {amount} en su tarjeta. No tiene que hacer nada.',
  'payer.card_needs_you':
    'No se ha hecho ningún cargo en su tarjeta, porque su banco le pide que confirme el pago. Puede pagar y confirmarlo aquí.',
  'payer.card_retrying':
    'Su tarjeta fue rechazada. Volveremos a intentar el cobro el {day}, salvo que la factura esté pagada para entonces.',
  'payer.card_charged_soon':
    'En breve se cobrarán {amount} en su tarjeta terminada en {last4}. No tiene que hacer nada.',
  'payer.card_charged_on':
    'El {day} se cobrarán {amount} en su tarjeta terminada en {last4}. No tiene que hacer nada.',
  'payer.below_minimum': '{amount} no se pueden pagar con tarjeta: el pago mínimo con tarjeta es de {bound}.',
  'payer.above_maximum': '{amount} no se pueden pagar con tarjeta: el pago máximo con tarjeta es de {bound}.',
  'payer.not_in_steps':
    '{amount} no se pueden pagar con tarjeta: los pagos con tarjeta deben ser múltiplos de {bound}.',
  'payer.not_online': 'Esta factura no se puede pagar en línea en este momento.',
  'payer.contact_to_pay': 'Póngase en contacto con {name} para pagarla.',
  'payer.takes_its_place': 'La sustituye la factura {number}.',
  'payer.not_started': 'No se ha podido iniciar el pago',
  'payer.not_started_help':
    'No se ha cobrado nada. Inténtelo de nuevo en un momento o póngase en contacto con {name}.',
  'payer.back_to_invoice': 'Volver a la factura',
  'payer.amount_due': 'Importe pendiente',
  'payer.due': 'Vence',
  'payer.was_due': 'Venció',
  'payer.download_invoice': 'Descargar la factura (PDF)',
  'payer.paid_on': 'Pagado el {day}: {means}',
  'payer.being_refunded': 'Reembolso en curso',
  'payer.refunded_on': 'Reembolsado el {day}',
  'payer.document_invoice': 'Factura {number} (PDF)',
  'payer.document_supplement': 'Factura complementaria {number} (PDF)',
  'payer.document_credit_note': 'Factura rectificativa {number} (PDF)',
  'payer.refund_of': 'Reembolso de {amount} (PDF)',

  'payer.link_unknown': 'Este enlace no es válido',
  'payer.card_link_unknown': 'Pida un nuevo enlace para guardar una tarjeta.',
  'payer.card_saved': 'Su tarjeta está guardada',
  'payer.card_saved_help':
    'Sus facturas solo se cargan en esta tarjeta si {name} ha activado el pago automático para usted. Puede cerrar esta página.',
  'payer.membership': 'Su membresía',
  'payer.page_expired': 'Esta página ha caducado',
  'payer.card_not_saved': 'No se ha guardado ninguna tarjeta. Pida un nuevo enlace a {name}.',
  'payer.card_waiting': 'Esperamos los datos de su tarjeta',
  'payer.card_waiting_help':
    'Esta página se actualiza automáticamente. Si aún no ha guardado su tarjeta, continúe aquí.',
  'payer.continue': 'Continuar',

  'payer.link_dead': 'Este enlace no funciona',
  'payer.link_dead_help':
    'Está incompleto o se ha sustituido. Abra el enlace del último correo sobre su reserva o póngase en contacto con el lugar donde reservó.',
  'payer.booking_by_link': 'Abra su reserva con el enlace de su correo',
  'payer.not_changeable': 'Esta reserva no se puede modificar en línea',
  'payer.on_request': 'Para cambiar o cancelar una reserva de esta sala, póngase en contacto con {name}.',
  'payer.back_to_booking': 'Volver a la reserva',
  'payer.not_paid_yet': 'Su reserva aún no está pagada',
  'payer.ended': 'Su reserva ha terminado',
  'payer.done_withdrawn': 'El cambio se ha anulado. Su reserva no ha cambiado.',
  'payer.done_moved':
    'El horario de su reserva se ha cambiado. Le hemos enviado por correo el nuevo horario y los importes.',
  'payer.done_extras': 'Los extras de su reserva se han cambiado. Le hemos enviado los importes por correo.',
  'payer.done_same': 'Su reserva ya está en este horario. No ha cambiado nada.',
  'payer.done_cancelled': 'Le hemos enviado por correo una confirmación de la cancelación.',
  'payer.lost_change':
    'Su cambio aún no estaba pagado y se ha anulado. Si aún llega algún pago por él, se reembolsa por completo.',
  'payer.to_pay': 'Por pagar',
  'payer.to_pay_on_account': '{amount} a más tardar el {day}, por factura ({number})',
  'payer.move_booking': 'Mover la reserva',
  'payer.change_extras': 'Cambiar los extras',
  'payer.cancel_booking': 'Cancelar la reserva',
  'payer.contact_to_change': 'Para mover o cancelar la reserva, póngase en contacto con {name}.',

  'payer.cancel_title': '¿Cancelar esta reserva?',
  'payer.refund_changed': 'El reembolso ha cambiado desde que abrió esta página. No se ha cancelado nada.',
  'payer.cannot_be_undone': 'Esto no se puede deshacer.',
  'payer.account_waived': 'Esta reserva se paga por factura: ya no tiene que pagar {amount}.',
  'payer.account_kept': 'Esta reserva se paga por factura: siguen pendientes {amount}.',
  'payer.account_waived_kept':
    'Esta reserva se paga por factura: ya no tiene que pagar {waived}, pero siguen pendientes {kept}.',
  'payer.nothing_paid': 'No se ha pagado nada, así que no se reembolsa nada.',
  'payer.nothing_refunded': 'Según las condiciones de reembolso, no se reembolsa nada.',
  'payer.change_withdrawn_too':
    'Aún no ha pagado su cambio ({to}). Se anula junto con la reserva y no se cobra nada por él.',
  'payer.cancel_and_refund': 'Cancelar y recuperar {amount}',
  'payer.keep_booking': 'Conservar la reserva',

  'payer.extras_title': 'Extras de su reserva',
  'payer.review_price': 'Ver el precio',
  'payer.extras_ask': '¿Cambiar sus extras?',
  'payer.price_changed_not_changed':
    'El precio ha cambiado desde que abrió esta página. No se ha cambiado nada.',
  'payer.price_changed_not_moved': 'El precio ha cambiado desde que abrió esta página. No se ha movido nada.',
  'payer.current': 'Actual',
  'payer.new': 'Nuevo',
  'payer.no_extras': 'Sin extras',
  'payer.price_unchanged': '{amount}, sin cambios',
  'payer.change_and_pay': 'Cambiar y pagar {amount}',
  'payer.change_and_refund': 'Cambiar y recuperar {amount}',
  'payer.other_extras': 'Elegir otros extras',
  'payer.paid_then_changed': 'Su reserva se modificará cuando haya pagado la diferencia.',

  'payer.difference_due':
    'Hay que pagar {amount}. El pago se hace en la página siguiente, y su reserva se modifica cuando se haya completado.',
  'payer.no_difference': 'No se cobra ni se reembolsa nada.',
  'payer.credits_returned': 'Horas de crédito que vuelven al mes del que proceden: {hours}.',
  'payer.rest_of_difference_kept':
    'Según las condiciones de reembolso, los otros {amount} de la diferencia no se reembolsan.',
  'payer.difference_kept': 'Según las condiciones de reembolso, la diferencia de {amount} no se reembolsa.',
  'payer.cap_after_move_none': 'Si cancela después del cambio, no se reembolsa lo que ha pagado hasta ahora.',
  'payer.cap_after_move':
    'Si cancela después del cambio, se reembolsa como máximo el {percent} % de lo que ha pagado hasta ahora.',
  'payer.due_after_move_all': 'Si cancela después del cambio, hay que pagar el precio completo.',
  'payer.due_after_move':
    'Si cancela después del cambio, hay que pagar como mínimo el {percent} % del precio.',
  'payer.move_ask': '¿Mover su reserva?',
  'payer.move_and_pay': 'Mover y pagar {amount}',
  'payer.move_and_refund': 'Mover y recuperar {amount}',
  'payer.other_time': 'Elegir otro horario',
  'payer.not_movable': 'Esta reserva ya no se puede mover',
  'payer.has_been_cancelled': 'Se ha cancelado.',
  'payer.has_expired': 'Ha caducado porque no se pagó a tiempo.',
  'payer.has_ended': 'Ha terminado.',
  'payer.movable_once_paid': 'Se podrá mover cuando esté pagada.',
  'payer.edit_window': 'Las reservas de esta sala se pueden mover hasta {length} antes del inicio.',
  'payer.movable_until_start': 'Las reservas de esta sala se pueden mover hasta el inicio.',
  'payer.move_title': 'Mover su reserva',
  'payer.move_now': 'Ahora: {booking}',
  'payer.owed_length':
    'Se paga por factura y la factura aún no está pagada. Puede mover la reserva, pero no cambiar su duración.',
  'payer.day': 'Día',
  'payer.length': 'Duración',
  'payer.show_free_times': 'Ver horarios',
  'payer.previous_month': 'Mes anterior',
  'payer.next_month': 'Mes siguiente',
  'payer.nothing_in_month': 'En {month} no hay ningún horario libre de {length}.',
  'payer.nothing_that_day': 'Ese día no hay ningún horario libre de {length}.',
  'payer.next_free_day': 'El siguiente día libre es el {day}.',
  'payer.nothing_those_days':
    'No hay ningún horario libre de {length} en los {days} días a partir de esta fecha. Elija un día posterior u otra duración.',
  'payer.pending_change':
    'Su cambio ({to}) cuesta {amount} más. Se lo guardamos hasta: {until}. Si no paga para entonces, su reserva no cambia. Si cancela la reserva, el cambio también se anula.',
  'payer.cancel_change': 'Anular el cambio',

  'payer.error_payment_failed': 'Su tarjeta fue rechazada. No ha cambiado nada.',
  'payer.error_not_found': 'Este cambio ya no está pendiente de pago.',
  'payer.error_change_pending':
    'Un cambio anterior aún se está procesando o está pendiente de pago. Páguelo, anúlelo o inténtelo de nuevo en unos minutos.',
  'payer.error_discount_unavailable':
    'Este código no se puede usar para esta reserva. Aún no se ha reservado nada. Compruebe el código o deje el campo vacío.',
  'payer.error_amount_too_small':
    'El precio de esta duración es inferior al pago mínimo con tarjeta. Elija una duración mayor.',
  'payer.error_limit_reached':
    'Este cambio no es posible en este momento. No ha cambiado nada. Inténtelo más tarde.',
  'payer.error_slot_unavailable': 'Este horario ya no está libre. No ha cambiado nada. Elija otro horario.',
  'payer.error_no_payments': 'El pago en línea no es posible en este momento y no ha cambiado nada.',
  'payer.error_page_not_opened':
    'No se ha podido abrir la página de pago y no ha cambiado nada. Inténtelo de nuevo en unos minutos.',
  'payer.error_payment_unknown':
    'Su pago aún no está confirmado. Cuando lo esté, la reserva se modificará y le escribiremos. Le rogamos que no lo intente de nuevo.',
  'payer.error_service_unavailable':
    'Ha ocurrido un error y no ha cambiado nada. Inténtelo de nuevo en unos minutos.',
  'payer.error_not_cancellable': 'Esta reserva ya no se puede cancelar.',
  'payer.error_partly_paid':
    'La factura de esta reserva solo está pagada en parte. Pague primero el resto y cancele después la reserva.',
  'payer.error_not_editable': 'Esta reserva ya no se puede modificar.',
  'payer.error_extra_unavailable':
    'Uno de los extras no está disponible en esta cantidad o en este horario. No ha cambiado nada. Elija una cantidad menor u otro horario.',
  'payer.error_rate_limited': 'Ha habido demasiados intentos. Inténtelo más tarde.',
  'payer.error_too_many_unpaid': 'Tiene otras reservas sin pagar. Páguelas o cancélelas primero.',
  'payer.error_other': 'Esto no es posible en este momento. No ha cambiado nada.',
  'payer.field_missing': 'Rellene «{field}».',
  'payer.field_email': 'Escriba una dirección de correo válida.',
  'payer.field_too_long': 'Acorte «{field}».',
  'payer.field_wrong': 'Compruebe «{field}».',
  'payer.form_wrong': 'Compruebe lo que ha escrito.',
};
