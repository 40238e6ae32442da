/** The pages on which public guests book. */
export const page = {
  'page.none_here': 'There is no booking page at this address',
  'page.none_here_help': 'Check the address, or contact the place you want to book.',
  'page.switched_off': 'Online booking is turned off',
  'page.switched_off_help': '{name} is not taking bookings on this page at the moment.',
  'page.maintenance': 'Online booking is closed for maintenance',
  'page.maintenance_help': 'Please come back later. Existing bookings are not affected.',
  'page.room_not_here': 'This room cannot be booked here',
  'page.see_all_rooms': 'See all rooms',

  'page.book_a_room': 'Book a room',
  'page.no_room': 'No rooms can be booked online at the moment.',
  'page.no_payments': '{name} cannot take online payments at the moment, so rooms cannot be booked here.',
  'page.price_by_time': 'Price depends on the time',
  'page.from_price': 'From {price} per hour',
  'page.price_an_hour': '{price} per hour',
  'page.with_tax': 'incl. tax',
  'page.choose_time': 'Choose a time',
  'page.choose_time_in': 'Choose a time for {room}',
  'page.capacity': '{people, plural, one {For one person} other {Up to # people}}',
  'page.pictures_of': 'Pictures of {room}',
  'page.picture': '{room}, picture {n}',

  'page.times_in': 'Times are shown in {zone}.',
  'page.own_zone': 'Below each time is the time in {zone}.',
  'page.all_rooms': 'All rooms',

  'page.your_details': 'Your details',
  'page.just_taken': 'This time has just been taken',
  'page.others_free':
    'Nothing has been booked or charged. These times are still available, and your details are still here.',
  'page.none_free':
    'Nothing has been booked or charged. No time of this length is available in the next {days} days.',
  'page.optional': '{label} (optional)',
  'page.choose': 'Choose…',
  'page.your_name': 'Your name',
  'page.email': 'Email address',
  'page.people': 'Number of people',
  'page.for_company': 'Book for a company',
  'page.company': 'Company',
  'page.vat_number': 'VAT number',
  'page.order_reference': 'Your order reference',
  'page.use_code': 'Use a discount code',
  'page.code': 'Discount code',
  'page.update_price': 'Update price',
  'page.your_booking': 'Your booking',
  'page.accept_terms': 'I accept the <a>terms</a>.',
  'page.choose_other_time': 'Choose another time',
  'page.slot': '{time}, {price}',
  'page.slot_free': '{time}, free',
  'page.checking':
    'Several rooms were held from your connection within 10 minutes, so we are checking your browser. This takes a few seconds. Your booking then continues automatically.',
  'page.unchecked':
    'Several rooms were held from your connection within 10 minutes, so we need to check that you are a person. The check needs JavaScript, which your browser is not running. Press the button below again in 10 minutes, or ask {name} to book for you. Nothing has been booked yet, and your details are still here.',
  'page.book_and_pay': 'Book and pay',
  'page.book_and_pay_amount': 'Book and pay {amount}',
  'page.book': 'Book',
  'page.held_by_mail': 'The room is held for {length}. We’ll email you a link to confirm your booking.',
  'page.held_for_payment': 'The room is held for {length} while you pay on the next page.',

  'page.answer_this': 'Answer this question.',
  'page.accept_to_book': 'Accept the terms to book.',
  'page.sent_before':
    'You have already sent this form with other details, and that booking is held for you. To make another booking, choose a time again.',
  'page.price_with_code': 'This is the price with your code. Nothing has been booked yet.',
  'page.price_with_extras': 'This is the price with your extras. Nothing has been booked yet.',
  'page.price_changed': 'The price has changed since you opened this page. Nothing has been booked yet.',
  'page.confirm_by_mail': 'Confirm your booking by email',
  'page.link_mailed':
    'We’ve emailed a link to {email}. Open it by {time} to confirm your booking. After that, the room becomes available again. We send each address one such link a day until one of them has been used.',
  'page.booking_ended': 'This booking is no longer active',
  'page.confirmation_mailed': 'We’ve emailed you the confirmation, with a link to your booking.',
  'page.not_paid_or_cancelled': 'It was not paid for in time, or it was cancelled.',

  'page.link_ended': 'This link is no longer valid',
  'page.not_held': 'The room is no longer held for you, and nothing has been booked. You can book it again.',
  'page.link_replaced':
    'The link to this booking has been replaced. The new link is in the latest email about the booking.',
  'page.cannot_confirm': 'We could not confirm your booking',
  'page.cannot_show': 'We cannot show your booking right now',
  'page.our_side_maybe_confirmed':
    'Something went wrong on our side. Your booking may still have been confirmed: if so, we’ll email you the confirmation. You can try again without booking twice.',
  'page.our_side_unchanged': 'Something went wrong on our side. Nothing has changed.',
  'page.link_still_works':
    'Your link still works. Try again in a minute: the room is only held until the time in our email.',
  'page.confirm_title': 'Confirm your booking',
  'page.confirm': 'Confirm booking',
} as const;
