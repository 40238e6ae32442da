import type { page as en } from '../en/page.js';

export const page: Record<keyof typeof en, string> = {
  'page.none_here': 'Unter dieser Adresse gibt es keine Buchungsseite',
  'page.none_here_help': 'Prüfen Sie die Adresse oder fragen Sie dort nach, wo Sie buchen möchten.',
  'page.switched_off': 'Die Online-Buchung ist deaktiviert',
  'page.switched_off_help': '{name} nimmt auf dieser Seite zurzeit keine Buchungen entgegen.',
  'page.maintenance': 'Die Online-Buchung ist wegen Wartungsarbeiten nicht verfügbar',
  'page.maintenance_help':
    'Bitte versuchen Sie es später noch einmal. Bestehende Buchungen sind nicht betroffen.',
  'page.room_not_here': 'Dieser Raum kann hier nicht gebucht werden',
  'page.see_all_rooms': 'Alle Räume ansehen',

  'page.book_a_room': 'Raum buchen',
  'page.no_room': 'Zurzeit können keine Räume online gebucht werden.',
  'page.show_rooms': 'Räume anzeigen',
  'page.no_room_for': 'Kein Raum hat Platz für {people} Personen. Im größten ist Platz für {most}.',
  'page.no_payments':
    '{name} kann zurzeit keine Online-Zahlungen annehmen. Deshalb können hier keine Räume gebucht werden.',
  'page.price_by_time': 'Preis je nach gewählter Zeit',
  'page.from_price': 'Ab {price} pro Stunde',
  'page.price_an_hour': '{price} pro Stunde',
  'page.with_tax': 'inkl. Steuer',
  'page.choose_time': 'Zeit wählen',
  'page.choose_time_in': 'Zeit wählen: {room}',
  'page.capacity': '{people, plural, one {Für eine Person} other {Bis zu # Personen}}',
  'page.pictures_of': 'Bilder von {room}',
  'page.picture': '{room}, Bild {n}',

  'page.times_in': 'Alle Zeiten in der Zeitzone {zone}.',
  'page.own_zone': 'Darunter steht jeweils die Zeit in {zone}.',
  'page.all_rooms': 'Alle Räume',

  'page.your_details': 'Ihre Angaben',
  'page.just_taken': 'Diese Zeit wurde gerade vergeben',
  'page.others_free':
    'Es wurde nichts gebucht oder berechnet. Diese Zeiten sind noch frei, und Ihre Eingaben sind erhalten geblieben.',
  'page.none_free':
    'Es wurde nichts gebucht oder berechnet. In den nächsten {days} Tagen ist für diese Dauer keine Zeit frei.',
  'page.optional': '(optional)',
  'page.choose': 'Auswählen …',
  'page.your_name': 'Ihr Name',
  'page.email': 'E-Mail-Adresse',
  'page.people': 'Personenzahl',
  'page.for_company': 'Für eine Firma buchen',
  'page.company': 'Firma',
  'page.vat_number': 'USt-IdNr.',
  'page.order_reference': 'Ihre Bestellnummer',
  'page.use_code': 'Rabattcode einlösen',
  'page.code': 'Rabattcode',
  'page.update_price': 'Preis aktualisieren',
  'page.your_booking': 'Ihre Buchung',
  'page.accept_terms': 'Ich akzeptiere die <a>Bedingungen</a>.',
  'page.terms': 'Bedingungen',
  'page.terms_version': 'Version {version}',
  'page.no_such_terms': 'Hier gibt es keine Bedingungen in dieser Version.',
  'page.choose_other_time': 'Andere Zeit wählen',
  'page.slot': '{time}, {price}',
  'page.slot_free': '{time}, kostenlos',
  'page.checking':
    'Über Ihren Internetanschluss wurden innerhalb von 10 Minuten mehrere Räume reserviert. Deshalb prüfen wir Ihren Browser. Das dauert einige Sekunden; danach geht Ihre Buchung automatisch weiter.',
  'page.unchecked':
    'Über Ihren Internetanschluss wurden innerhalb von 10 Minuten mehrere Räume reserviert. Deshalb müssen wir prüfen, ob Sie ein Mensch sind. Dafür brauchen wir JavaScript, das Ihr Browser hier nicht ausführt. Klicken Sie in 10 Minuten noch einmal auf die Schaltfläche unten oder bitten Sie {name}, für Sie zu buchen. Bisher ist nichts gebucht, und Ihre Eingaben sind erhalten geblieben.',
  'page.book_and_pay': 'Buchen und bezahlen',
  'page.book_and_pay_amount': 'Buchen und {amount} bezahlen',
  'page.book': 'Buchen',
  'page.held_by_mail':
    'Der Raum wird {length} für Sie reserviert. Sie erhalten per E-Mail einen Link, mit dem Sie die Buchung bestätigen.',
  'page.held_for_payment':
    'Der Raum wird {length} für Sie reserviert, während Sie auf der nächsten Seite bezahlen.',

  'page.answer_this': 'Beantworten Sie diese Frage.',
  'page.accept_to_book': 'Akzeptieren Sie die Bedingungen, um zu buchen.',
  'page.sent_before': 'Sie haben dieses Formular bereits abgeschickt',
  'page.sent_before_help':
    'Für Ihre neuen Angaben wurde nichts gebucht oder berechnet. Ihre frühere Buchung ist unverändert.',
  'page.price_with_code': 'Das ist der Preis mit Ihrem Code. Bisher ist nichts gebucht.',
  'page.price_with_extras': 'Das ist der Preis mit Ihren Extras. Bisher ist nichts gebucht.',
  'page.price_changed':
    'Der Preis hat sich geändert, seit Sie diese Seite geöffnet haben. Bisher ist nichts gebucht.',
  'page.confirm_by_mail': 'Bestätigen Sie Ihre Buchung per E-Mail',
  'page.link_mailed':
    'Wir haben einen Link an {email} gesendet. Öffnen Sie ihn bis {time}, um Ihre Buchung zu bestätigen. Danach wird der Raum wieder freigegeben. Pro Adresse senden wir höchstens einen solchen Link am Tag, bis einer davon verwendet wurde.',
  'page.booking_ended': 'Diese Buchung ist nicht mehr aktiv',
  'page.confirmation_mailed':
    'Wir haben Ihnen die Bestätigung mit einem Link zu Ihrer Buchung per E-Mail gesendet.',
  'page.not_paid_or_cancelled': 'Sie wurde nicht rechtzeitig bezahlt, oder sie wurde storniert.',

  'page.link_ended': 'Dieser Link ist nicht mehr gültig',
  'page.not_held':
    'Der Raum ist nicht mehr für Sie reserviert, und es ist nichts gebucht. Sie können ihn erneut buchen.',
  'page.link_replaced':
    'Der Link zu dieser Buchung wurde ersetzt. Den neuen Link finden Sie in der letzten E-Mail zu dieser Buchung.',
  'page.cannot_confirm': 'Wir konnten Ihre Buchung nicht bestätigen',
  'page.cannot_show': 'Wir können Ihre Buchung gerade nicht anzeigen',
  'page.our_side_maybe_confirmed':
    'Bei uns ist ein Fehler aufgetreten. Möglicherweise wurde Ihre Buchung trotzdem bestätigt; dann erhalten Sie die Bestätigung per E-Mail. Sie können es noch einmal versuchen, ohne doppelt zu buchen.',
  'page.our_side_unchanged': 'Bei uns ist ein Fehler aufgetreten. Es hat sich nichts geändert.',
  'page.link_still_works':
    'Ihr Link bleibt gültig. Versuchen Sie es in einer Minute noch einmal: Der Raum ist nur bis zu der Zeit reserviert, die in unserer E-Mail steht.',
  'page.confirm_title': 'Bestätigen Sie Ihre Buchung',
  'page.confirm': 'Buchung bestätigen',
};
