import type { mail as en } from '../en/mail.js';

export const mail: Record<keyof typeof en, string> = {
  'mail.hello': 'Guten Tag,',
  'mail.hello_name': 'Guten Tag {name},',
  'mail.questions': 'Fragen? Sie erreichen {name} unter <mail>{email}</mail>.',
  'mail.wrote': '{name} schreibt',
  'mail.you_wrote': 'Sie haben geschrieben',
  'mail.continue_to_payment': 'Weiter zur Zahlung',

  'mail.held_subject': 'Schließen Sie Ihre Buchung von {room} ab',
  'mail.held':
    '{room} ist bis {time} für Sie reserviert. Bezahlen Sie bis dahin {amount}, um Ihre Buchung zu bestätigen.',
  'mail.held_just_paid':
    'Wenn Sie gerade bezahlt haben, müssen Sie nichts tun: Ihre Bestätigung ist unterwegs.',
  'mail.confirmed_subject': 'Ihre Buchung von {room} ist bestätigt',
  'mail.confirmed': 'Ihre Buchung ist bestätigt.',
  'mail.confirmed_paid': 'Ihre Buchung ist bestätigt, und {amount} wurden bezahlt.',
  'mail.on_account_of':
    '{amount} werden {company} in Rechnung gestellt. Die Rechnung geht direkt an die Firma.',
  'mail.on_account':
    '{amount} werden Ihnen in Rechnung gestellt. Das Fälligkeitsdatum steht auf der Rechnung.',
  'mail.calendar_adds':
    'Die meisten Kalender tragen den Termin automatisch ein. Falls Ihrer das nicht tut, öffnen Sie die angehängte Datei.',
  'mail.calendar_moves':
    'Die meisten Kalender verschieben den Termin automatisch. Falls Ihrer das nicht tut, öffnen Sie die angehängte Datei.',
  'mail.calendar_removes':
    'Die meisten Kalender entfernen den Termin automatisch. Falls Ihrer das nicht tut, öffnen Sie die angehängte Datei.',
  'mail.reminder_subject': 'Erinnerung: {room}, {time}',
  'mail.reminder': 'Dies ist eine Erinnerung an Ihre Buchung.',
  'mail.expired_subject': 'Ihre Buchung von {room} ist abgelaufen',
  'mail.expired':
    'Ihre Zahlung ist nicht rechtzeitig eingegangen. Der Raum wurde deshalb wieder freigegeben.',
  'mail.book_again_any_time': 'Sie können jederzeit erneut buchen.',
  'mail.book_again': 'Erneut buchen',
  'mail.change_subject': 'Bezahlen Sie die Änderung Ihrer Buchung von {room}',
  'mail.change':
    'Bezahlen Sie {amount}, um Ihre Buchung auf {booking} zu ändern. Die Änderung ist bis {time} für Sie reserviert.',
  'mail.change_with_extras':
    'Bezahlen Sie {amount}, um Ihre Buchung auf {booking} mit {extras} zu ändern. Die Änderung ist bis {time} für Sie reserviert.',
  'mail.change_not_paid':
    'Wenn Sie bis dahin nicht bezahlen, bleibt Ihre Buchung unverändert. Wenn Sie gerade bezahlt haben, müssen Sie nichts tun.',
  'mail.changed_subject': 'Ihre Buchung von {room} wurde geändert',
  'mail.changed': 'Ihre Buchung wurde geändert. Die neuen Angaben finden Sie unten.',
  'mail.changed_by_workspace': '{name} hat Ihre Buchung geändert. Die neuen Angaben finden Sie unten.',
  'mail.price_charged':
    'Der neue Preis beträgt {price}. Weitere {amount} wurden von Ihrer Karte abgebucht, insgesamt {paid}.',
  'mail.price_paid':
    'Der neue Preis beträgt {price}. Sie haben jetzt weitere {amount} bezahlt, insgesamt {paid}.',
  'mail.price_refunded': 'Der neue Preis beträgt {price}. {refund}',
  'mail.price_same': 'Der Preis beträgt {price}. Für die Änderung wurde nichts abgebucht oder erstattet.',
  'mail.charged_before': 'Für diese Änderung wurden {amount} von Ihrer Karte abgebucht.',
  'mail.paid_before': 'Für diese Änderung haben Sie {amount} bezahlt.',
  'mail.changed_again': 'Seitdem wurde die Buchung noch einmal geändert. Sie kostet jetzt {price}.',
  'mail.note_subject': 'Zu Ihrer Buchung von {room}',
  'mail.note':
    '{name} hat Ihnen einen Hinweis zu Ihrer Buchung gesendet. An der Buchung selbst hat sich nichts geändert.',
  'mail.cancelled_subject': 'Ihre Buchung von {room} ist storniert',
  'mail.cancelled': 'Ihre Buchung wurde storniert.',
  'mail.cancelled_by_payer': 'Ihre Buchung wurde auf Ihren Wunsch storniert.',
  'mail.cancelled_by_workspace': '{name} hat Ihre Buchung storniert.',
  'mail.refund_subject': 'Erstattung für Ihre Buchung von {room}',
  'mail.refund_made_subject': 'Ihre Erstattung von {amount} ist abgeschlossen',
  'mail.refund_failed_subject': 'Ihre Erstattung von {amount} ist fehlgeschlagen',
  'mail.refund_returned_subject': 'Ihre Bank hat Ihre Erstattung von {amount} zurückgewiesen',
  'mail.refund_returned':
    'Die Erstattung von {amount} wurde von der Bank zurückgewiesen: Sie konnte Ihrem ursprünglichen Zahlungsmittel nicht gutgeschrieben werden. {payee} wurde benachrichtigt.',
  'mail.refund_failed_contact':
    'Wie Sie das Geld auf anderem Weg zurückerhalten, klären Sie bitte mit {name}.',
  'mail.late_subject': 'Ihre Zahlung für {room} wurde erstattet',
  'mail.late_not_due': 'Ihre Zahlung von {amount} ging ein, als sie nicht mehr fällig war.',
  'mail.booking_unchanged': 'An Ihrer Buchung hat sich nichts geändert.',
  'mail.late_released': 'Ihre Zahlung von {amount} ging ein, als der Raum bereits wieder freigegeben war.',
  'mail.late_refunded': 'Sie wurde vollständig auf Ihr ursprüngliches Zahlungsmittel erstattet.',
  'mail.including_tax': '{price}, einschließlich {tax} Steuer',
  'mail.including_tax_rate': '{price}, einschließlich {tax} Steuer ({rate} %)',
  'mail.paid': 'Bezahlt',
  'mail.to_pay': 'Zu zahlen',
  'mail.on_account_fact': '{amount}, auf Rechnung',
  'mail.see': 'Buchung ansehen',
  'mail.see_move_or_cancel': 'Buchung ansehen, verschieben oder stornieren',
  'mail.see_or_cancel': 'Buchung ansehen oder stornieren',
  'mail.directions_from': 'Anfahrtsbeschreibung von {name}',
  'mail.access_from': 'Hinweise von {name} zum Zugang',

  'mail.proof_subject': 'Bestätigen Sie Ihre Buchung von {room}',
  'mail.proof': '{room} ist bis {time} für Sie reserviert. Bestätigen Sie Ihre Buchung bis dahin:',
  'mail.proof_button': 'Buchung bestätigen',
  'mail.proof_not_you':
    'Wenn Sie das nicht gebucht haben, müssen Sie nichts tun: Ohne Ihre Bestätigung wird nichts gebucht.',

  'mail.with_sender': '{subject} ({name})',
  'mail.was_due': '{amount} waren am {day} fällig. Bitte bezahlen Sie so bald wie möglich.',
  'mail.please_pay': 'Bitte bezahlen Sie {amount} bis {day}.',
  'mail.charged_now':
    '{amount} werden jetzt von Ihrer Karte mit den Endziffern {last4} abgebucht. Sie müssen nichts tun.',
  'mail.charged_on':
    '{amount} werden am {day} von Ihrer Karte mit den Endziffern {last4} abgebucht. Sie müssen nichts tun.',
  'mail.has_been_paid': 'Sie ist bezahlt. Sie müssen nichts tun.',
  'mail.invoice_subject': 'Rechnung {reference}',
  'mail.invoice_has_been_paid': 'Ihre Rechnung ist bezahlt. Sie müssen nichts tun.',
  'mail.bank_asks_subject': 'Bestätigen Sie die Zahlung der Rechnung {reference} bei Ihrer Bank',
  'mail.bank_asks':
    'Ihre Karte wurde nicht belastet, weil Ihre Bank Sie bittet, die Zahlung zu bestätigen. Öffnen Sie die Rechnung, um {amount} zu bezahlen und die Zahlung zu bestätigen.',
  'mail.declined_subject': 'Ihre Karte wurde für Rechnung {reference} abgelehnt',
  'mail.declined_again':
    '{amount} konnten nicht von Ihrer Karte abgebucht werden. Wir versuchen es am {day} noch einmal, wenn die Rechnung bis dahin nicht bezahlt ist. Sie können auch mit einer anderen Karte oder auf andere Weise bezahlen.',
  'mail.declined':
    '{amount} konnten nicht von Ihrer Karte abgebucht werden. Bitte bezahlen Sie mit einer anderen Karte oder auf andere Weise.',
  'mail.past_due_subject': 'Rechnung {reference} ist überfällig',
  'mail.due_subject': 'Rechnung {reference} ist am {day} fällig',
  'mail.replaces': 'Sie ersetzt die Rechnung {reference}, die nicht mehr bezahlt werden muss.',
  'mail.invoice_attached': 'Die Rechnung {reference} über {amount} ist angehängt.',
  'mail.invoice_opened_subject': 'Ihre Rechnung {reference}',
  'mail.invoice_opened': '{name} hat Ihnen eine Rechnung über {amount} gesendet.',
  'mail.receipt_subject': 'Zahlungsbeleg für Rechnung {reference}',
  'mail.receipt': 'Ihre Zahlung von {amount} ist am {day} eingegangen ({means}).',
  'mail.remains': '{amount} sind noch zu zahlen.',
  'mail.voided_subject': 'Rechnung {reference} muss nicht mehr bezahlt werden',
  'mail.voided':
    'Die Rechnung {reference} über {amount} muss nicht mehr bezahlt werden. Bitte bezahlen Sie sie nicht.',
  'mail.voided_with_booking':
    'Die Rechnung {reference} über {amount} muss nicht mehr bezahlt werden, weil die Buchung storniert wurde. Bitte bezahlen Sie sie nicht.',
  'mail.takes_its_place': 'Sie wird durch die Rechnung {reference} über {amount} ersetzt.',
  'mail.invoice_refund_subject': 'Erstattung für Rechnung {reference}',
  'mail.paid_excess': 'Sie haben {amount} mehr bezahlt, als fällig war.',
  'mail.credit_notes':
    '{n, plural, one {Die Rechnungskorrektur ist angehängt. Sie können sie auch auf der Seite der Rechnung herunterladen.} other {Die Rechnungskorrekturen sind angehängt. Sie können sie auch auf der Seite der Rechnung herunterladen.}}',
  'mail.view_and_pay': 'Rechnung ansehen und bezahlen',
  'mail.view': 'Rechnung ansehen',
  'mail.has_invoiced': '{name} hat Ihnen in Rechnung gestellt:',

  'mail.statement_subject': 'Kontoauszug für {month} ({name})',
  'mail.statement': 'Hier ist Ihr Kontoauszug für {month}.',
  'mail.statement_card':
    'Fällige Rechnungen werden von Ihrer Karte mit den Endziffern {last4} abgebucht. Wenn die Karte abgelehnt wurde, bezahlen Sie über die Links unten.',
  'mail.item_due': 'vom {invoiced}, fällig am {due}; {amount}',
  'mail.item_was_due': 'vom {invoiced}, war fällig am {due}; {amount}',
  'mail.item_paid': '{item}, {amount} bezahlt',
  'mail.entry_payment': '{day}, Zahlung für {reference}',
  'mail.entry_refund': '{day}, Erstattung für {reference}',
  'mail.entry_cancelled': '{day}, {reference} wurde storniert',
  'mail.more_invoices':
    '{n, plural, one {Und # weitere unbezahlte Rechnung, in der Summe enthalten.} other {Und # weitere unbezahlte Rechnungen, in der Summe enthalten.}}',
  'mail.more_entries':
    '{n, plural, one {Und # weitere Zahlung oder Gutschrift.} other {Und # weitere Zahlungen und Gutschriften.}}',
  'mail.payments_in': 'Zahlungen und Gutschriften im {month}:',
  'mail.issued_subject': 'Kontoauszug {number} ({name})',
  'mail.issued': 'Ihr Kontoauszug {number} für die Zeit vom {from} bis {to} ist als PDF angehängt.',
};
