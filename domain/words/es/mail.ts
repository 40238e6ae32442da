import type { mail as en } from '../en/mail.js';

export const mail: Record<keyof typeof en, string> = {
  'mail.hello': 'Hola:',
  'mail.hello_name': 'Hola, {name}:',
  'mail.questions': '¿Tiene alguna pregunta? Escriba a {name}: <mail>{email}</mail>.',
  'mail.wrote': 'Mensaje de {name}',
  'mail.you_wrote': 'Su mensaje',
  'mail.continue_to_payment': 'Continuar al pago',

  'mail.held_subject': 'Complete su reserva de {room}',
  'mail.held':
    '{room} está retenida para usted hasta: {time}. Su reserva se confirmará cuando se hayan pagado {amount}.',
  'mail.held_just_paid': 'Si acaba de pagar, ignore este correo: su confirmación está en camino.',
  'mail.confirmed_subject': 'Su reserva de {room} está confirmada',
  'mail.confirmed': 'Su reserva está confirmada.',
  'mail.confirmed_paid': 'Su reserva está confirmada y se han pagado {amount}.',
  'mail.on_account_of': 'El importe de {amount} se factura a {company}.',
  'mail.on_account': 'El importe de {amount} se paga por factura; el vencimiento figura en ella.',
  'mail.calendar_adds':
    'La mayoría de los calendarios la añaden solos. Si el suyo no lo hace, abra el archivo adjunto.',
  'mail.calendar_moves':
    'La mayoría de los calendarios la mueven solos. Si el suyo no lo hace, abra el archivo adjunto.',
  'mail.calendar_removes':
    'La mayoría de los calendarios la quitan solos. Si el suyo no lo hace, abra el archivo adjunto.',
  'mail.reminder_subject': 'Recordatorio: {room}, {time}',
  'mail.reminder': 'Le recordamos su reserva.',
  'mail.expired_subject': 'Su reserva de {room} ha caducado',
  'mail.expired': 'No recibimos su pago a tiempo, así que la sala ha quedado libre.',
  'mail.book_again_any_time': 'Puede reservar de nuevo cuando quiera.',
  'mail.book_again': 'Reservar de nuevo',
  'mail.change_subject': 'Pague el cambio de su reserva de {room}',
  'mail.change':
    'Su reserva pasará a ser {booking} cuando se hayan pagado {amount}. El cambio está retenido para usted hasta: {time}.',
  'mail.change_with_extras':
    'Su reserva pasará a ser {booking} con {extras} cuando se hayan pagado {amount}. El cambio está retenido para usted hasta: {time}.',
  'mail.change_not_paid':
    'Si no se paga para entonces, su reserva queda como está. Si acaba de pagar, ignore este correo.',
  'mail.changed_subject': 'Su reserva de {room} ha cambiado',
  'mail.changed': 'Su reserva se ha cambiado. Los nuevos datos están abajo.',
  'mail.changed_by_workspace': '{name} ha cambiado su reserva. Los nuevos datos están abajo.',
  'mail.price_charged':
    'El nuevo precio es de {price}: se han cobrado {amount} más en su tarjeta, {paid} en total.',
  'mail.price_paid': 'El nuevo precio es de {price}: ha pagado ahora {amount} más, {paid} en total.',
  'mail.price_refunded': 'El nuevo precio es de {price}. {refund}',
  'mail.price_same': 'El precio es de {price}. No se ha cobrado ni reembolsado nada por el cambio.',
  'mail.charged_before': 'Por este cambio se han cobrado {amount} en su tarjeta.',
  'mail.paid_before': 'Por este cambio ha pagado {amount}.',
  'mail.changed_again': 'La reserva se ha vuelto a cambiar desde entonces: su precio es ahora de {price}.',
  'mail.note_subject': 'Sobre su reserva de {room}',
  'mail.note': '{name} tiene un aviso sobre su reserva. La reserva en sí no ha cambiado.',
  'mail.cancelled_subject': 'Su reserva de {room} está cancelada',
  'mail.cancelled': 'Su reserva se ha cancelado.',
  'mail.cancelled_by_payer': 'Su reserva se ha cancelado a petición suya.',
  'mail.cancelled_by_workspace': '{name} ha cancelado su reserva.',
  'mail.refund_subject': 'Reembolso de su reserva de {room}',
  'mail.refund_made_subject': 'Se ha realizado su reembolso de {amount}',
  'mail.refund_failed_subject': 'Su reembolso de {amount} ha fallado',
  'mail.refund_returned_subject': 'Su banco ha rechazado su reembolso de {amount}',
  'mail.refund_returned':
    'El banco ha rechazado el reembolso de {amount}: no se pudo abonar en la tarjeta o cuenta con la que pagó. Hemos avisado a {payee}.',
  'mail.refund_failed_contact':
    'Para acordar otra forma de recuperar el dinero, póngase en contacto con {name}.',
  'mail.late_subject': 'Se ha reembolsado su pago de {room}',
  'mail.late_not_due': 'Su pago de {amount} llegó cuando ya no se debía. Su reserva no ha cambiado.',
  'mail.late_released': 'Su pago de {amount} llegó cuando la sala ya había quedado libre.',
  'mail.late_refunded': 'Se ha reembolsado por completo en la tarjeta o cuenta con la que pagó.',
  'mail.including_tax': '{price}, incluidos {tax} de impuestos',
  'mail.including_tax_rate': '{price}, incluidos {tax} de impuestos ({rate} %)',
  'mail.paid': 'Pagado',
  'mail.to_pay': 'Por pagar',
  'mail.on_account_fact': '{amount}, con factura',
  'mail.see': 'Ver su reserva',
  'mail.see_move_or_cancel': 'Ver, mover o cancelar su reserva',
  'mail.see_or_cancel': 'Ver o cancelar su reserva',
  'mail.directions_from': 'Cómo llegar, de {name}',
  'mail.access_from': 'Cómo entrar, de {name}',

  'mail.proof_subject': 'Confirme su reserva de {room}',
  'mail.proof': '{room} está retenida para usted hasta: {time}. Confirme su reserva antes:',
  'mail.proof_button': 'Confirmar reserva',
  'mail.proof_not_you':
    'Si usted no ha reservado esto, ignore este correo: no se reserva nada si no se abre el enlace.',

  'mail.with_sender': '{subject} ({name})',
  'mail.was_due': '{amount} vencieron el {day}. Páguelos lo antes posible, por favor.',
  'mail.please_pay': 'Pague {amount} a más tardar el {day}, por favor.',
  'mail.charged_now':
    'Se van a cobrar ahora {amount} en su tarjeta terminada en {last4}. No tiene que hacer nada.',
  'mail.charged_on':
    'El {day} se cobrarán {amount} en su tarjeta terminada en {last4}. No tiene que hacer nada.',
  'mail.has_been_paid': 'Está pagada. No tiene que hacer nada.',
  'mail.invoice_subject': 'Factura {reference}',
  'mail.invoice_has_been_paid': 'Su factura está pagada. No tiene que hacer nada.',
  'mail.bank_asks_subject': 'Su banco le pide que confirme el pago de la factura {reference}',
  'mail.bank_asks':
    'No se ha cobrado en su tarjeta. Abra la factura para pagar {amount} y confirmarlo con su banco.',
  'mail.declined_subject': 'Su tarjeta fue rechazada para la factura {reference}',
  'mail.declined_again':
    'No se han podido cobrar {amount} en su tarjeta. Lo intentaremos de nuevo el {day}, salvo que la factura esté pagada para entonces. También puede pagar con otra tarjeta u otro medio de pago.',
  'mail.declined':
    'No se han podido cobrar {amount} en su tarjeta. Pague con otra tarjeta u otro medio de pago, por favor.',
  'mail.past_due_subject': 'La factura {reference} está vencida',
  'mail.due_subject': 'La factura {reference} vence el {day}',
  'mail.replaces': 'Sustituye a la factura {reference}, que ha quedado sin efecto.',
  'mail.invoice_attached': 'La factura {reference} de {amount} va adjunta.',
  'mail.invoice_opened_subject': 'Su factura {reference}',
  'mail.invoice_opened': '{name} le ha enviado una factura de {amount}.',
  'mail.receipt_subject': 'Recibo de la factura {reference}',
  'mail.receipt': 'Recibimos su pago de {amount} el {day} ({means}).',
  'mail.remains': 'Quedan por pagar {amount}.',
  'mail.voided_subject': 'Ya no hay que pagar la factura {reference}',
  'mail.voided': 'La factura {reference} de {amount} ha quedado sin efecto. No la pague, por favor.',
  'mail.voided_with_booking':
    'La factura {reference} de {amount} ha quedado sin efecto, porque la reserva se canceló. No la pague, por favor.',
  'mail.takes_its_place': 'La sustituye la factura {reference} de {amount}.',
  'mail.invoice_refund_subject': 'Reembolso de la factura {reference}',
  'mail.credit_notes':
    '{n, plural, one {La factura rectificativa va adjunta y está en la página de la factura.} other {Las facturas rectificativas van adjuntas y están en la página de la factura.}}',
  'mail.view_and_pay': 'Ver y pagar la factura',
  'mail.view': 'Ver la factura',
  'mail.has_invoiced': '{name} ha facturado:',

  'mail.statement_subject': 'Extracto de {month} ({name})',
  'mail.statement': 'Este es su extracto de {month}.',
  'mail.statement_card':
    'Las facturas vencidas se cobran en su tarjeta terminada en {last4}. Si la tarjeta fue rechazada, pague con los enlaces de abajo.',
  'mail.item_due': 'del {invoiced}, vence el {due}; {amount}',
  'mail.item_was_due': 'del {invoiced}, venció el {due}; {amount}',
  'mail.item_paid': '{item}, {amount} pagados',
  'mail.entry_payment': '{day}, pago de {reference}',
  'mail.entry_refund': '{day}, reembolso de {reference}',
  'mail.entry_cancelled': '{day}, {reference} se canceló',
  'mail.more_invoices':
    '{n, plural, one {Y # factura pendiente más, incluida en el total.} other {Y # facturas pendientes más, incluidas en el total.}}',
  'mail.more_entries': '{n, plural, one {Y # pago o abono más.} other {Y # pagos y abonos más.}}',
  'mail.payments_in': 'Pagos y abonos de {month}:',
  'mail.issued_subject': 'Extracto {number} ({name})',
  'mail.issued': 'Este es su extracto {number} del {from} al {to}, adjunto en PDF.',
};
