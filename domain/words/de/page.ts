import type { page as en } from '../en/page.js';

export const page: Record<keyof typeof en, string> = {
  'page.none_here': 'Hier gibt es keine Buchungsseite',
  'page.none_here_help': 'Prüfen Sie die Adresse oder fragen Sie dort nach, wo Sie buchen möchten.',
  'page.switched_off': 'Die Online-Buchung ist abgeschaltet',
  'page.switched_off_help': '{name} nimmt auf dieser Seite zurzeit keine Buchungen an.',
  'page.maintenance': 'Die Online-Buchung ist wegen Wartung geschlossen',
  'page.maintenance_help': 'Bitte kommen Sie später wieder. Bestehende Buchungen sind nicht betroffen.',
  'page.room_not_here': 'Dieser Raum kann hier nicht gebucht werden',
  'page.see_all_rooms': 'Alle Räume ansehen',

  'page.book_a_room': 'Raum buchen',
  'page.no_room': 'Zurzeit kann kein Raum online gebucht werden.',
  'page.no_payments':
    '{name} kann zurzeit keine Online-Zahlungen annehmen. Deshalb kann hier kein Raum gebucht werden.',
  'page.price_by_time': 'Preis je nach gewählter Zeit',
  'page.from_price': 'Ab {price} für {length}',
  'page.price_an_hour': '{price} pro Stunde',
  'page.choose_time': 'Zeit wählen',
  'page.choose_time_in': 'Zeit wählen für {room}',
  'page.capacity': '{people, plural, one {Für eine Person} other {Bis zu # Personen}}',
  'page.pictures_of': 'Bilder von {room}',
  'page.picture': '{room}, Bild {n}',

  'page.times_in': 'Zeiten in der Zeitzone {zone}.',
  'page.own_zone': 'Darunter steht jeweils die Zeit in {zone}.',
  'page.other_days': 'Andere Tage',
  'page.nothing_free': '{day}, nichts frei',
  'page.later': 'Später',
  'page.all_rooms': 'Alle Räume',

  'page.your_details': 'Ihre Angaben',
  'page.just_taken': 'Diese Zeit ist gerade vergeben worden',
  'page.others_free':
    'Es wurde nichts gebucht oder berechnet. Diese Zeiten sind frei, und Ihre Eingaben sind noch da.',
  'page.none_free':
    'Es wurde nichts gebucht oder berechnet. In den nächsten {days} Tagen ist für diese Dauer nichts frei.',
  'page.optional': '{label} (optional)',
  'page.choose': 'Auswählen …',
  'page.your_name': 'Ihr Name',
  'page.email': 'E-Mail-Adresse',
  'page.people': 'Anzahl Personen',
  'page.for_company': 'Für eine Firma buchen',
  'page.company': 'Firma',
  'page.vat_number': 'USt-IdNr.',
  'page.order_reference': 'Ihre Bestellnummer',
  'page.use_code': 'Rabattcode einlösen',
  'page.code': 'Rabattcode',
  'page.code_help': 'Sie sehen den Preis damit, bevor Sie bezahlen.',
  'page.accept_terms': 'Ich akzeptiere die <a>Bedingungen</a>.',
  'page.choose_other_time': 'Andere Zeit wählen',
  'page.slot': '{time}, {price}',
  'page.slot_free': '{time}, kostenlos',
  'page.checking':
    'Von Ihrem Anschluss wurden innerhalb von 10 Minuten mehrere Räume reserviert. Deshalb löst Ihr Browser zuerst eine Rechenaufgabe. Das dauert einige Sekunden; danach geht Ihre Buchung von selbst weiter.',
  'page.unchecked':
    'Von Ihrem Anschluss wurden innerhalb von 10 Minuten mehrere Räume reserviert. Um zu prüfen, ob dahinter ein Mensch steht, benötigen wir JavaScript, das Ihr Browser hier nicht ausführt. Klicken Sie in 10 Minuten noch einmal auf die Schaltfläche unten oder bitten Sie {name}, für Sie zu buchen. Bisher ist nichts gebucht, und Ihre Eingaben sind noch da.',
  'page.book_and_pay': 'Buchen und bezahlen',
  'page.book_and_pay_amount': 'Buchen und {amount} bezahlen',
  'page.book': 'Buchen',
  'page.held_by_mail':
    'Der Raum wird {length} für Sie reserviert. Wir senden Ihnen per E-Mail einen Link, mit dem Sie die Buchung bestätigen.',
  'page.held_for_payment':
    'Der Raum wird {length} für Sie reserviert, während Sie auf der nächsten Seite bezahlen.',

  'page.answer_this': 'Beantworten Sie diese Frage.',
  'page.accept_to_book': 'Akzeptieren Sie die Bedingungen, um zu buchen.',
  'page.sent_before':
    'Sie haben dieses Formular schon mit anderen Angaben gesendet, und diese Buchung ist für Sie reserviert. Für eine weitere Buchung wählen Sie bitte noch einmal eine Zeit.',
  'page.price_with_code': 'Das ist der Preis mit Ihrem Code. Bisher ist nichts gebucht.',
  'page.price_with_extras': 'Das ist der Preis mit Ihren Extras. Bisher ist nichts gebucht.',
  'page.price_changed':
    'Der Preis hat sich geändert, seit Sie diese Seite geöffnet haben. Bisher ist nichts gebucht.',
  'page.confirm_by_mail': 'Bestätigen Sie Ihre Buchung per E-Mail',
  'page.link_mailed':
    'Wir haben einen Link an {email} gesendet. Öffnen Sie ihn bis {time}, um Ihre Buchung zu bestätigen; danach ist der Raum wieder frei. Eine Adresse erhält höchstens einen solchen Link am Tag, bis sie einen benutzt hat.',
  'page.booking_ended': 'Diese Buchung ist beendet',
  'page.confirmation_mailed':
    'Wir haben Ihnen die Bestätigung mit einem Link zu Ihrer Buchung per E-Mail gesendet.',
  'page.not_paid_or_cancelled': 'Sie wurde nicht rechtzeitig bezahlt oder wurde storniert.',

  'page.link_ended': 'Dieser Link ist abgelaufen',
  'page.not_held':
    'Der Raum ist nicht mehr für Sie reserviert, und es ist nichts gebucht. Sie können ihn erneut buchen.',
  'page.link_replaced':
    'Die Links dieser Buchung wurden ersetzt. Den neuen finden Sie in der letzten E-Mail dazu.',
  'page.cannot_confirm': 'Wir konnten Ihre Buchung gerade nicht bestätigen',
  'page.cannot_show': 'Wir können Ihre Buchung gerade nicht anzeigen',
  'page.our_side_maybe_confirmed':
    'Bei uns funktioniert gerade etwas nicht. Ihre Buchung kann trotzdem bestätigt sein; dann senden wir Ihnen die Bestätigung per E-Mail. Ein neuer Versuch bucht nichts doppelt.',
  'page.our_side_unchanged': 'Bei uns funktioniert gerade etwas nicht. Es hat sich nichts geändert.',
  'page.link_still_works':
    'Ihr Link bleibt gültig, auch wenn hier etwas fehlschlägt. Der Raum ist aber nur bis zu der in unserer E-Mail genannten Zeit reserviert: Versuchen Sie es in einer Minute noch einmal.',
  'page.confirm_title': 'Bestätigen Sie Ihre Buchung',
  'page.confirm': 'Buchung bestätigen',
};
