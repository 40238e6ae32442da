import test from 'ava';
import type { ApiContext } from '../../api/http/context.js';
import { runUrl } from '../../web/dashboard/shared/attention/run.js';

const deps = {
  temporalUiUrl: 'https://temporal.example.com',
  operatorEmails: ['ops@example.com', 'night@example.com'],
  temporal: { options: { namespace: 'holdfast' } },
};
const seenBy = (email?: string, settings = {}) =>
  runUrl({ state: { session: email ? { email } : null } } as ApiContext, { ...deps, ...settings }, 'bk_1');

test('only the people who run the service see links to the Temporal Web UI, which shows all workspaces', (t) => {
  const url = 'https://temporal.example.com/namespaces/holdfast/workflows/bk_1';
  for (const email of ['ops@example.com', 'Night@Example.com']) t.is(seenBy(email), url);
  for (const email of ['owner@example.com', 'ops@example.com.evil.example', undefined])
    t.is(seenBy(email), null);
  t.is(seenBy('ops@example.com', { temporalUiUrl: null }), null);
  t.is(seenBy('owner@example.com', { operatorEmails: [] }), null, 'without the setting nobody sees them');
});
