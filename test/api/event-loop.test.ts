import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import {
  measureForms,
  measureOperations,
  measureOthers,
  measurePages,
  measureRefusedForms,
} from './measure-routes.js';
import { FINE_MS, fullWorkspace, MOST_MS, measured, problems, ROUTES } from './measured-routes.js';

test.serial('a block of 150 ms is detected', async (t) => {
  const { api } = await fullWorkspace();
  const { block } = await api.during(() => api.block(150));
  t.true(block >= MOST_MS, `${block}`);
  t.true((await api.during(() => fetch(`${api.baseUrl}/health/live`))).block < FINE_MS);
});

test.serial('a form with a file and very many fields is refused before it takes time', async (t) => {
  const { api, session, ids, home } = await fullWorkspace();
  const form = new FormData();
  for (let n = 0; n < 40_000; n++) form.append('colour', 'blue');
  const send = () => session.submitFields(`${home}/rooms/${ids.room}/settings/pictures`, form);
  const { block, result } = await api.during(send);
  t.is(result.status, 422);
  t.regex(await result.text(), /A form must have at most 1000 fields/);
  t.true(block < MOST_MS, `${block}`);
});

test.serial(
  'no route blocks the event loop for 100 ms with its worst input, in a workspace with thousands of rows',
  async (t) => {
    t.timeout(1_200_000);
    await measurePages();
    await measureOperations();
    // While the room and the booking are unchanged.
    await measureOthers((route) => !route.startsWith('POST /dashboard/'));
    await measureRefusedForms();
    await measureForms();
    await measureOthers();
    writeTable();
    t.deepEqual(problems, []);
    t.deepEqual(
      ROUTES.map(({ route }) => route).filter((route) => !measured.has(route)),
      [],
      'routes that were not measured',
    );
  },
);

/** Writes the longest block of every route next to the stack's files, for docs/internals/costs.md. */
function writeTable(): void {
  const rows = [...measured]
    .toSorted(([, a], [, b]) => b.block - a.block)
    .map(([route, { block, ms, status, what }]) => {
      const request = what && ` \`${what}\``;
      return `| \`${route}\`${request} | ${Math.round(block)} ms | ${Math.round(ms)} ms | ${status} |`;
    });
  const head = ['| Route | Longest block | Response after | Status |', '|---|---|---|---|'];
  const file = join(dirname(process.env.HOLDFAST_DEV_JSON!), 'event-loop.txt');
  writeFileSync(file, [...head, ...rows, ''].join('\n'));
}
