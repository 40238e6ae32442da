import type { payer as en } from '../en/payer.js';

export const payer: Record<keyof typeof en, string> = {
  'payer.language': 'Sprache',
  'payer.bookings_by': 'Buchungen mit Holdfast',
  'payer.check_again': 'Erneut prüfen',
  'payer.booked_with': 'Gebucht bei',
  'payer.room': 'Raum',
  'payer.time': 'Zeit',
  'payer.price': 'Preis',
  'payer.name': 'Name',
  'payer.reference': 'Referenz',
  'payer.booking': 'Buchung',
  'payer.address': 'Adresse',
  'payer.directions': 'Anfahrt',
  'payer.access': 'Zugang',
  'payer.cancellation': 'Stornierung',
  'payer.book_again': 'Erneut buchen',
  'payer.contact_to_book_again': 'Um erneut zu buchen, wenden Sie sich an {name}.',
  'payer.questions': 'Fragen? Sie erreichen {name} unter <mail>{email}</mail>.',
  'payer.extras': 'Extras',
  'payer.price_per_booking': '{price} pro Buchung',
  'payer.price_per_hour': '{price} pro Stunde',
  'payer.price_per_attendee': '{price} pro Person',
  'payer.price_per_piece': '{price} pro Stück',
  'payer.try_again': 'Erneut versuchen',
  'payer.back': 'Zurück',
  'payer.too_many_requests': 'Zu viele Anfragen',
  'payer.try_again_in':
    'Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.',
  'payer.failed': 'Diese Anfrage ist fehlgeschlagen',
  'payer.wrong_on_our_side': 'Bei uns ist etwas schiefgegangen',
  'payer.error_is_logged':
    'Der Fehler wurde protokolliert. Prüfen Sie, ob Ihre Anfrage schon ausgeführt wurde, bevor Sie es noch einmal versuchen.',
  'payer.from_other_site': 'Dieses Formular wurde von einer anderen Website abgeschickt',
  'payer.reload': 'Laden Sie die Seite neu und schicken Sie das Formular noch einmal ab.',

  'payer.checkout_unknown': 'Zahlungsseite nicht gefunden',
  'payer.checkout_unknown_help':
    'Öffnen Sie den Link aus Ihrer Buchung noch einmal oder fragen Sie dort nach, wo Sie gebucht haben.',
  'payer.checkout_closed': 'Diese Zahlungsseite ist geschlossen',
  'payer.back_to': 'Zurück zu {name}',
  'payer.confirming': 'Ihre Zahlung wird noch bestätigt',
  'payer.confirming_booking':
    'Diese Seite aktualisiert sich automatisch. Sie können sie auch schließen: Wir senden Ihnen die Bestätigung per E-Mail.',
  'payer.confirming_change':
    'Diese Seite aktualisiert sich automatisch. Sie können sie auch schließen: Wir schreiben Ihnen, sobald die Änderung abgeschlossen ist.',
  'payer.confirming_invoice': 'Diese Seite aktualisiert sich automatisch. Sie können sie auch schließen.',
  'payer.confirmed': 'Ihre Buchung ist bestätigt',
  'payer.confirmation_mailed': 'Wir haben Ihnen die Bestätigung per E-Mail gesendet.',
  'payer.add_to_calendar': 'In den Kalender eintragen',
  'payer.view_move_or_cancel': 'Buchung ansehen, verschieben oder stornieren',
  'payer.view_or_cancel': 'Buchung ansehen oder stornieren',
  'payer.view_booking': 'Buchung ansehen',
  'payer.expired': 'Ihre Buchung ist abgelaufen',
  'payer.cancelled': 'Ihre Buchung wurde storniert',
  'payer.expired_why':
    'Bis zum Ende der Reservierung wurde keine Zahlung bestätigt. Der Raum wurde deshalb wieder freigegeben.',
  'payer.hold_expired': 'Ihre Reservierung ist abgelaufen',
  'payer.hold_ended':
    'Der Raum war bis {time} für Sie reserviert. Wenn Sie vorher bezahlt haben, senden wir Ihnen die Bestätigung per E-Mail.',
  'payer.left_checkout': 'Sie haben die Zahlungsseite verlassen',
  'payer.held_until': 'Der Raum ist bis {time} für Sie reserviert.',
  'payer.continue_to_payment': 'Weiter zur Zahlung',
  'payer.pay': '{amount} bezahlen',
  'payer.pay_now': '{amount} jetzt bezahlen',

  'payer.change_held_until':
    'Die Änderung ist bis {time} für Sie reserviert. Bis Sie die Änderung bezahlt haben, bleibt Ihre Buchung unverändert.',
  'payer.changed': 'Ihre Buchung wurde geändert',
  'payer.not_changed': 'Ihre Buchung wurde nicht geändert',
  'payer.change_mailed':
    'Wir haben Ihnen die neuen Angaben zu Ihrer Buchung und die Beträge per E-Mail gesendet.',
  'payer.change_not_paid':
    'Die Änderung wurde nicht rechtzeitig bezahlt, oder sie wurde verworfen. Falls noch eine Zahlung eingeht, wird sie vollständig auf das ursprüngliche Zahlungsmittel erstattet.',

  'payer.invoice': 'Rechnung',
  'payer.invoice_from': 'Rechnung von {name}',
  'payer.from': 'Von',
  'payer.payment_received': 'Ihre Zahlung ist eingegangen',
  'payer.view_invoice': 'Rechnung und Beleg ansehen',
  'payer.invoice_not_due': 'Diese Rechnung muss nicht mehr bezahlt werden',
  'payer.late_payment_goes_back':
    'Falls noch eine Zahlung eingeht, wird sie vollständig auf das ursprüngliche Zahlungsmittel erstattet.',
  'payer.invoice_not_paid': 'Die Rechnung ist noch nicht bezahlt.',
  'payer.invoice_unknown': 'Rechnung nicht gefunden',
  'payer.invoice_unknown_help':
    'Öffnen Sie den Link aus Ihrer E-Mail noch einmal oder wenden Sie sich an den Absender der Rechnung.',
  'payer.invoice_by_link': 'Öffnen Sie Ihre Rechnung über den Link in Ihrer E-Mail',
  'payer.no_cookie':
    'Diese Seite lässt sich nur in einem Browser öffnen, in dem Sie den Link aus Ihrer E-Mail geöffnet haben. Wenn Sie ihn gerade geöffnet haben, hat Ihr Browser ein Cookie blockiert, das diese Seite braucht. Erlauben Sie Cookies für diese Website oder öffnen Sie den Link in einem anderen Browser.',
  'payer.invoice_paid': 'Diese Rechnung ist bezahlt',
  'payer.invoice_refunded': 'Diese Rechnung wurde erstattet',
  'payer.card_charging': '{amount} werden gerade von Ihrer Karte abgebucht. Sie müssen nichts tun.',
  'payer.card_needs_you':
    'Ihre Karte wurde nicht belastet, weil Ihre Bank Sie bittet, die Zahlung zu bestätigen. Sie können hier bezahlen und die Zahlung bestätigen.',
  'payer.card_retrying':
    'Ihre Karte wurde abgelehnt. Sie wird am {day} noch einmal belastet, wenn die Rechnung bis dahin nicht bezahlt ist.',
  'payer.card_charged_soon':
    '{amount} werden in Kürze von Ihrer Karte mit den Endziffern {last4} abgebucht. Sie müssen nichts tun.',
  'payer.card_charged_on':
    '{amount} werden am {day} von Ihrer Karte mit den Endziffern {last4} abgebucht. Sie müssen nichts tun.',
  'payer.below_minimum':
    '{amount} können nicht mit Karte bezahlt werden: Der Mindestbetrag für Kartenzahlungen beträgt {bound}.',
  'payer.above_maximum':
    '{amount} können nicht mit Karte bezahlt werden: Der Höchstbetrag für Kartenzahlungen beträgt {bound}.',
  'payer.not_in_steps':
    '{amount} können nicht mit Karte bezahlt werden: Kartenzahlungen sind nur in Schritten von {bound} möglich.',
  'payer.not_online': 'Diese Rechnung kann zurzeit nicht online bezahlt werden.',
  'payer.contact_to_pay': 'Wenden Sie sich an {name}, um sie zu bezahlen.',
  'payer.takes_its_place': 'Sie wird durch Rechnung {number} ersetzt.',
  'payer.not_started': 'Die Zahlung konnte nicht gestartet werden',
  'payer.not_started_help':
    'Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal oder wenden Sie sich an {name}.',
  'payer.back_to_invoice': 'Zurück zur Rechnung',
  'payer.amount_due': 'Noch zu zahlen',
  'payer.due': 'Fällig',
  'payer.was_due': 'War fällig',
  'payer.download_invoice': 'Rechnung herunterladen (PDF)',
  'payer.paid_on': 'Bezahlt am {day}: {means}',
  'payer.being_refunded': 'Wird erstattet',
  'payer.refunded_on': 'Erstattet am {day}',
  'payer.document_invoice': 'Rechnung {number} (PDF)',
  'payer.document_supplement': 'Nachberechnung {number} (PDF)',
  'payer.document_credit_note': 'Rechnungskorrektur {number} (PDF)',
  'payer.refund_of': 'Erstattung von {amount} (PDF)',

  'payer.link_unknown': 'Dieser Link ist ungültig',
  'payer.card_link_unknown': 'Fordern Sie einen neuen Link an, um eine Karte zu hinterlegen.',
  'payer.card_saved': 'Ihre Karte ist hinterlegt',
  'payer.card_saved_help':
    'Rechnungen werden nur dann von dieser Karte abgebucht, wenn {name} das für Sie aktiviert hat. Sie können diese Seite schließen.',
  'payer.membership': 'Ihre Mitgliedschaft',
  'payer.page_expired': 'Diese Seite ist abgelaufen',
  'payer.card_not_saved': 'Es wurde keine Karte hinterlegt. Fordern Sie bei {name} einen neuen Link an.',
  'payer.card_waiting': 'Wir warten auf Ihre Kartendaten',
  'payer.card_waiting_help':
    'Diese Seite aktualisiert sich automatisch. Wenn Sie Ihre Karte noch nicht hinterlegt haben, geht es hier weiter.',
  'payer.continue': 'Weiter',

  'payer.link_dead': 'Dieser Link funktioniert nicht',
  'payer.link_dead_help':
    'Er ist unvollständig oder wurde ersetzt. Öffnen Sie den Link in der letzten E-Mail zu Ihrer Buchung oder fragen Sie dort nach, wo Sie gebucht haben.',
  'payer.booking_by_link': 'Öffnen Sie Ihre Buchung über den Link in Ihrer E-Mail',
  'payer.not_changeable': 'Diese Buchung kann nicht online geändert werden',
  'payer.on_request':
    'Wenn Sie eine Buchung dieses Raums ändern oder stornieren möchten, wenden Sie sich an {name}.',
  'payer.back_to_booking': 'Zurück zur Buchung',
  'payer.not_paid_yet': 'Ihre Buchung ist noch nicht bezahlt',
  'payer.ended': 'Ihre Buchung ist beendet',
  'payer.done_withdrawn': 'Die Änderung wurde verworfen. Ihre Buchung ist unverändert.',
  'payer.done_moved':
    'Ihre Buchung wurde verschoben. Wir haben Ihnen die neue Zeit und die Beträge per E-Mail gesendet.',
  'payer.done_extras':
    'Die Extras Ihrer Buchung wurden geändert. Wir haben Ihnen die Beträge per E-Mail gesendet.',
  'payer.done_same': 'Ihre Buchung ist bereits für diese Zeit eingetragen. Es hat sich nichts geändert.',
  'payer.done_cancelled': 'Wir haben Ihnen eine Bestätigung der Stornierung per E-Mail gesendet.',
  'payer.lost_change':
    'Ihre Änderung war noch nicht bezahlt und wurde verworfen. Falls dafür noch eine Zahlung eingeht, wird sie vollständig erstattet.',
  'payer.to_pay': 'Zu zahlen',
  'payer.to_pay_on_account': '{amount} bis {day}, auf Rechnung ({number})',
  'payer.move_booking': 'Buchung verschieben',
  'payer.change_extras': 'Extras ändern',
  'payer.cancel_booking': 'Buchung stornieren',
  'payer.contact_to_change': 'Um die Buchung zu verschieben oder zu stornieren, wenden Sie sich an {name}.',

  'payer.cancel_title': 'Diese Buchung stornieren?',
  'payer.refund_changed':
    'Die Erstattung hat sich geändert, seit Sie diese Seite geöffnet haben. Es wurde nichts storniert.',
  'payer.cannot_be_undone': 'Das kann nicht rückgängig gemacht werden.',
  'payer.account_waived':
    'Diese Buchung wird auf Rechnung bezahlt: {amount} müssen nicht mehr bezahlt werden.',
  'payer.account_kept': 'Diese Buchung wird auf Rechnung bezahlt: {amount} müssen weiterhin bezahlt werden.',
  'payer.account_waived_kept':
    'Diese Buchung wird auf Rechnung bezahlt: {waived} müssen nicht mehr bezahlt werden, {kept} sind weiterhin zu zahlen.',
  'payer.nothing_paid': 'Es wurde nichts bezahlt, deshalb wird nichts erstattet.',
  'payer.nothing_refunded': 'Nach den Erstattungsbedingungen wird nichts erstattet.',
  'payer.change_withdrawn_too':
    'Sie haben Ihre Änderung auf {to} noch nicht bezahlt. Sie wird zusammen mit der Buchung verworfen, und es wird nichts dafür abgebucht.',
  'payer.cancel_and_refund': 'Stornieren und {amount} zurückerhalten',
  'payer.keep_booking': 'Buchung behalten',

  'payer.extras_title': 'Extras Ihrer Buchung',
  'payer.review_price': 'Preis ansehen',
  'payer.extras_ask': 'Die Extras ändern?',
  'payer.price_changed_not_changed':
    'Der Preis hat sich geändert, seit Sie diese Seite geöffnet haben. Es wurde nichts geändert.',
  'payer.price_changed_not_moved':
    'Der Preis hat sich geändert, seit Sie diese Seite geöffnet haben. Es wurde nichts verschoben.',
  'payer.current': 'Bisher',
  'payer.new': 'Neu',
  'payer.no_extras': 'Keine Extras',
  'payer.price_unchanged': '{amount}, unverändert',
  'payer.change_and_pay': 'Ändern und {amount} bezahlen',
  'payer.change_and_refund': 'Ändern und {amount} zurückerhalten',
  'payer.other_extras': 'Andere Extras wählen',
  'payer.paid_then_changed': 'Ihre Buchung wird geändert, sobald Sie die Differenz bezahlt haben.',

  'payer.difference_due':
    '{amount} sind zu zahlen. Sie bezahlen auf der nächsten Seite, und Ihre Buchung wird geändert, sobald die Zahlung abgeschlossen ist.',
  'payer.no_difference': 'Es wird nichts abgebucht oder erstattet.',
  'payer.credits_returned':
    'Guthabenstunden, die ihrem ursprünglichen Monat wieder gutgeschrieben werden: {hours}.',
  'payer.rest_of_difference_kept':
    'Nach den Erstattungsbedingungen werden die übrigen {amount} der Differenz nicht erstattet.',
  'payer.difference_kept': 'Nach den Erstattungsbedingungen wird die Differenz von {amount} nicht erstattet.',
  'payer.cap_after_move_none':
    'Wenn Sie nach der Verschiebung stornieren, wird der bisher bezahlte Betrag nicht erstattet.',
  'payer.cap_after_move':
    'Wenn Sie nach der Verschiebung stornieren, werden höchstens {percent} % des bisher bezahlten Betrags erstattet.',
  'payer.due_after_move_all': 'Wenn Sie nach der Verschiebung stornieren, bleibt der volle Preis zu zahlen.',
  'payer.due_after_move':
    'Wenn Sie nach der Verschiebung stornieren, bleiben mindestens {percent} % des Preises zu zahlen.',
  'payer.move_ask': 'Ihre Buchung verschieben?',
  'payer.move_and_pay': 'Verschieben und {amount} bezahlen',
  'payer.move_and_refund': 'Verschieben und {amount} zurückerhalten',
  'payer.other_time': 'Andere Zeit wählen',
  'payer.not_movable': 'Diese Buchung kann nicht mehr verschoben werden',
  'payer.has_been_cancelled': 'Sie wurde storniert.',
  'payer.has_expired': 'Sie ist abgelaufen, weil sie nicht rechtzeitig bezahlt wurde.',
  'payer.has_ended': 'Sie ist beendet.',
  'payer.movable_once_paid': 'Sie kann verschoben werden, sobald sie bezahlt ist.',
  'payer.edit_window': 'Buchungen dieses Raums können bis {length} vor Beginn verschoben werden.',
  'payer.movable_until_start': 'Buchungen dieses Raums können bis zum Beginn verschoben werden.',
  'payer.move_title': 'Buchung verschieben',
  'payer.move_now': 'Bisher: {booking}',
  'payer.owed_length':
    'Die Buchung wird auf Rechnung bezahlt, und die Rechnung ist noch offen. Sie können die Buchung verschieben, aber ihre Dauer nicht ändern.',
  'payer.day': 'Tag',
  'payer.length': 'Dauer',
  'payer.show_free_times': 'Zeiten anzeigen',
  'payer.previous_month': 'Voriger Monat',
  'payer.next_month': 'Nächster Monat',
  'payer.nothing_in_month': 'Im {month} ist für {length} nichts frei.',
  'payer.nothing_that_day': 'An diesem Tag ist für {length} nichts frei.',
  'payer.next_free_day': 'Der nächste freie Tag ist {day}.',
  'payer.nothing_those_days':
    'Ab diesem Tag ist {days} Tage lang für {length} nichts frei. Wählen Sie einen späteren Tag oder eine andere Dauer.',
  'payer.pending_change':
    'Die Änderung auf {to} kostet {amount} mehr. Sie ist bis {until} für Sie reserviert. Wenn Sie bis dahin nicht bezahlen, bleibt Ihre Buchung unverändert. Wenn Sie die Buchung stornieren, wird auch die Änderung verworfen.',
  'payer.cancel_change': 'Änderung verwerfen',

  'payer.error_payment_failed': 'Ihre Karte wurde abgelehnt. Es hat sich nichts geändert.',
  'payer.error_not_found': 'Für diese Änderung steht keine Zahlung mehr aus.',
  'payer.error_change_pending':
    'Eine frühere Änderung wird noch bearbeitet oder ist noch nicht bezahlt. Bezahlen oder verwerfen Sie sie oder versuchen Sie es in einigen Minuten noch einmal.',
  'payer.error_discount_unavailable':
    'Dieser Code kann für diese Buchung nicht verwendet werden. Bisher ist nichts gebucht. Prüfen Sie den Code oder lassen Sie ihn weg.',
  'payer.error_amount_too_small':
    'Der Preis für diese Dauer liegt unter dem Mindestbetrag für Kartenzahlungen. Wählen Sie eine längere Zeit.',
  'payer.error_limit_reached':
    'Diese Änderung ist zurzeit nicht möglich. Es hat sich nichts geändert. Versuchen Sie es später noch einmal.',
  'payer.error_slot_unavailable':
    'Diese Zeit ist nicht mehr frei. Es hat sich nichts geändert. Wählen Sie eine andere Zeit.',
  'payer.error_no_payments': 'Online-Zahlungen sind zurzeit nicht möglich, und es hat sich nichts geändert.',
  'payer.error_page_not_opened':
    'Die Zahlungsseite konnte nicht geöffnet werden, und es hat sich nichts geändert. Versuchen Sie es in einigen Minuten noch einmal.',
  'payer.error_payment_unknown':
    'Ihre Zahlung ist noch nicht bestätigt. Sobald sie bestätigt ist, wird die Buchung geändert, und wir schreiben Ihnen. Bitte versuchen Sie es nicht noch einmal.',
  'payer.error_service_unavailable':
    'Es ist ein Fehler aufgetreten, und es hat sich nichts geändert. Versuchen Sie es in einigen Minuten noch einmal.',
  'payer.error_not_cancellable': 'Diese Buchung kann nicht mehr storniert werden.',
  'payer.error_partly_paid':
    'Die Rechnung dieser Buchung ist erst teilweise bezahlt. Bezahlen Sie zuerst den Rest, und stornieren Sie dann die Buchung.',
  'payer.error_not_editable': 'Diese Buchung kann nicht mehr geändert werden.',
  'payer.error_extra_unavailable':
    'Eines der Extras ist in dieser Anzahl oder zu dieser Zeit nicht verfügbar. Es hat sich nichts geändert. Wählen Sie eine kleinere Anzahl oder eine andere Zeit.',
  'payer.error_rate_limited': 'Es gab zu viele Versuche. Versuchen Sie es später noch einmal.',
  'payer.error_too_many_unpaid':
    'Sie haben andere, noch nicht bezahlte Buchungen. Bezahlen oder stornieren Sie zuerst diese.',
  'payer.error_other': 'Das ist zurzeit nicht möglich. Es hat sich nichts geändert.',
  'payer.field_missing': 'Füllen Sie „{field}“ aus.',
  'payer.field_email': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'payer.field_too_long': 'Kürzen Sie „{field}“.',
  'payer.field_wrong': 'Prüfen Sie „{field}“.',
  'payer.form_wrong': 'Prüfen Sie Ihre Eingaben.',
};
