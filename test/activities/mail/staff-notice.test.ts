import test from 'ava';
import { layOut } from '../../../activities/mail/templates/layout.js';
import { LONG_MAILS, TEXTS } from './long-mails.js';

test('a mail to staff names the booker as the one who booked, not as the one who changed or cancelled', async (t) => {
  const texts = { ...TEXTS.long, name: 'Ada' };
  const mails = await Promise.all(
    LONG_MAILS.staff_booking(texts).map(async (content) => (await layOut(content!, null)).text),
  );
  t.deepEqual(
    mails.map((text) => text.split('\n')[0]),
    ['New booking by Ada:', 'Changed booking of Ada:', 'Cancelled booking of Ada:'],
  );
});
