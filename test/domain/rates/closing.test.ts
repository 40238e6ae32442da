import test from 'ava';
import { closingRates, GUEST, type Asker, type RateAudience } from '../../../domain/rates/rates.js';
import { someRate } from '../../support/some-rate.js';

const EVERYONE = someRate({ closed: true });
const rate = (closed: boolean, audience: Partial<RateAudience>) =>
  someRate({ closed, audience: { kind: 'members', tiers: null, company_ids: null, ...audience } });
const closesAcme = rate(true, { company_ids: ['acme'] });
const opensPro = rate(false, { tiers: ['pro'] });
const opensAcme = rate(false, { company_ids: ['acme'] });
const closesGuests = rate(true, { kind: 'guests' });
const opensLong = someRate({ min_minutes: 120 });

const RATES = [opensLong, closesAcme, opensPro, opensAcme, closesGuests, EVERYONE];

test('time is closed by each rate that may apply to the asker, after those that certainly apply', (t) => {
  const cases: [string, Asker, typeof RATES][] = [
    ['anybody', null, [closesAcme, closesGuests, EVERYONE]],
    ['a guest', GUEST, [closesGuests, EVERYONE]],
    ['a pro of any company', { tier: 'pro' }, [closesAcme, opensPro, EVERYONE]],
    ['a pro of none', { tier: 'pro', company_id: null }, [opensPro, EVERYONE]],
    ['a plus of Acme', { tier: 'plus', company_id: 'acme' }, [closesAcme, opensAcme, EVERYONE]],
  ];
  for (const [who, asker, expected] of cases) t.deepEqual(closingRates(RATES, asker), expected, who);
  t.deepEqual(closingRates([opensPro, opensLong], GUEST), [], 'no rate closes the room');
});
