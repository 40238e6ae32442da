import test from 'ava';
import { explain } from '../../../web/dashboard/shared/attention/steps.js';
import { alertText, openAs, openOffice, pageText } from '../../support/dashboard.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { newRoom } from '../../support/workspaces.js';

const LINK = /<a href="\/dashboard\/[^"/]+\/processor">/;

test('what says that card payments are not available leads to where they are set up, for roles that can do it', async (t) => {
  const { session, home, workspace } = await openOffice({ processor_account_id: null });
  const room = await newRoom(workspace.api);
  const desk = await openAs(workspace, { role: 'front_desk' });
  const hour = { room_id: room.id, start_at: `${NEXT_MONDAY}T10:00`, end_at: `${NEXT_MONDAY}T11:00` };
  const main = (html: string): string => /<main[^]*<\/main>/.exec(html)![0];
  const shown = {
    'the booking page': async () => [main(await session.getText(`${home}/booking-page`))],
    'a new invoice': async () => [main(await session.getText(`${home}/invoices/new`))],
    'the settings of invoices': async () => [main(await session.getText(`${home}/settings/invoices`))],
    'the price of a booking': async () =>
      Promise.all(
        [session, desk.session].map(async (of) => {
          const page = await of.getText(`${home}/book?${new URLSearchParams(hour)}`);
          return /id="quote"[^]*?<\/p>/.exec(page)![0];
        }),
      ),
    'a rejected booking': async () =>
      Promise.all(
        [session, desk.session].map(async (of) => {
          const rejected = await of.submit(`${home}/book`, `${home}/book`, {
            ...hour,
            email: 'ada@example.com',
            name: 'Ada',
            attendees: '1',
          });
          const html = await rejected.text();
          t.regex(alertText(html), /cannot take payments yet\. Complete onboarding with Stripe first\./);
          return /role="alert">[^]*?<\/div>/.exec(html)![0];
        }),
      ),
  };
  for (const [name, read] of Object.entries(shown)) {
    const [forOwner, forDesk] = await read();
    t.regex(forOwner!, LINK, name);
    if (forDesk) {
      t.regex(pageText(forDesk), /cannot take payments/, name);
      t.notRegex(forDesk, LINK, name);
    }
  }
  const failing = { step: 'refund', message: '', tries: 1, next: null };
  t.true(explain({ ...failing, type: 'ProcessorAccountUnusable' }).lacksAccount);
  t.false(explain({ ...failing, type: 'ProcessorUnavailable' }).lacksAccount);
});
