import type { terms as en } from '../en/terms.js';

export const terms: Record<keyof typeof en, string> = {
  'terms.free': 'Kostenlos',
  'terms.hours_quantity': '{quantity} h',
  'terms.at_price': '{quantity} zu je {price}',
  'terms.net': 'Netto',
  'terms.tax': 'Steuer',
  'terms.total': 'Gesamt',
  'terms.credits': '{hours, plural, one {# Guthabenstunde} other {# Guthabenstunden}}',
  'terms.membership': 'Mitgliedschaft {plan}',
  'terms.upgrade': 'Höherstufung der Mitgliedschaft von {from} auf {to}',

  'terms.full_refund': 'wird der volle Preis erstattet',
  'terms.no_refund': 'wird nichts erstattet',
  'terms.part_refund': 'werden {percent} % des Preises erstattet',
  'terms.nothing_due': 'ist nichts zu zahlen',
  'terms.all_due': 'ist der volle Preis zu zahlen',
  'terms.part_due': 'sind {percent} % des Preises zu zahlen',
  'terms.hours': '{hours, plural, one {# Stunde} other {# Stunden}}',
  'terms.days': '{days, plural, one {# Tag} other {# Tage}}',
  'terms.cancelled_ahead': 'Bei Stornierung mindestens {duration} vor Beginn {share}.',
  'terms.cancelled_until': 'Bei Stornierung bis {moment} {share}.',
  'terms.cancelled_later': 'Bei späterer Stornierung {share}.',
  'terms.cancelled_any_time': 'Bei Stornierung vor Beginn {share}.',
  'terms.cap_none': 'Der vor der Änderung der Buchung bezahlte Betrag wird nicht erstattet.',
  'terms.cap_part':
    'Höchstens {percent} % des vor der Änderung der Buchung bezahlten Betrags werden erstattet.',

  'terms.refunded': '{amount} wurden auf das ursprüngliche Zahlungsmittel erstattet.',
  'terms.refunding':
    '{amount} werden auf das ursprüngliche Zahlungsmittel erstattet. Das kann bei der Bank einige Tage dauern.',
  'terms.returned_by_hand': '{payee} zahlt {amount} direkt zurück, weil nicht online bezahlt wurde.',
  'terms.refund_failed': 'Eine Erstattung von {amount} ist fehlgeschlagen. {payee} wurde benachrichtigt.',
  'terms.disputed': 'Die Bank hat {amount} zurückgebucht, weil die Zahlung angefochten wurde.',
  'terms.paid': '{amount} wurden bezahlt.',
  'terms.refunded_before': '{amount} wurden bereits erstattet.',
  'terms.none_refunded': 'Davon wird nichts erstattet.',
  'terms.rest_kept': '{amount} werden nicht erstattet.',
  'terms.paid_late': 'Eine Zahlung von {amount} ging ein, als der Raum bereits wieder freigegeben war.',
  'terms.stays_due':
    '{amount} sind weiterhin auf Rechnung zu zahlen. Das Fälligkeitsdatum steht auf der Rechnung.',
  'terms.was_on_account': 'Sie sollte auf Rechnung bezahlt werden. Es ist nichts mehr zu zahlen.',
  'terms.paid_with_credits': 'Bezahlt mit {credits}.',
  'terms.was_free': 'Sie war kostenlos.',
  'terms.not_paid':
    'Es ist keine Zahlung eingegangen. Falls noch eine eingeht, wird sie vollständig erstattet.',

  'terms.is_refunded': '{amount} werden auf Ihr ursprüngliches Zahlungsmittel erstattet.',
  'terms.is_refunded_to_payer': '{amount} werden auf das ursprüngliche Zahlungsmittel erstattet.',
  'terms.part_refunded': '{amount} wurden auf Ihr ursprüngliches Zahlungsmittel erstattet.',
  'terms.parts_refunded':
    '{amount} wurden auf die Karten oder Konten erstattet, mit denen Sie bezahlt haben, für jede Zahlung einzeln: {parts}.',
  'terms.part_refunding':
    '{parts} werden auf Ihr ursprüngliches Zahlungsmittel erstattet. Das kann bei der Bank einige Tage dauern.',
  'terms.parts_refunding':
    '{amount} werden auf die Karten oder Konten erstattet, mit denen Sie bezahlt haben, für jede Zahlung einzeln.',
  'terms.parts_done': '{parts} wurden bereits erstattet.',
  'terms.parts_coming': '{parts} werden noch erstattet. Das kann bei der Bank einige Tage dauern.',

  'terms.number_with_reference': '{number} – „{reference}“',
  'terms.more': 'Weitere',
  'terms.more_lines': '{lines, plural, one {# Position} other {# Positionen}}',
  'terms.booked_by': 'Gebucht von',
  'terms.ending_in': '{means} mit den Endziffern {last4}',
  'terms.by_card': 'Karte',
  'terms.by_card_terminal': 'Kartenterminal',
  'terms.by_cash': 'Bargeld',
  'terms.by_bank_transfer': 'Überweisung',
  'terms.by_cheque': 'Scheck',
  'terms.by_direct_debit': 'Lastschrift',
  'terms.by_other': 'anderes Zahlungsmittel',
};
